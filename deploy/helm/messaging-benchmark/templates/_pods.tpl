{{/* Parts that the pods of workers and coordinator share. */}}

{{- define "benchmark.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* Nothing in the pod needs the cluster, and no variable in it grows with the cluster's services. */}}
{{- define "benchmark.podIdentity" -}}
serviceAccountName: {{ include "benchmark.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "benchmark.podSecurity" . | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* (list $ .Values.workers) -> image, rights and resources of a container; results/ is looked for in the current folder */}}
{{- define "benchmark.container" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
image: {{ include "benchmark.image" $root | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
workingDir: /
env:
  - name: HEAP_OPTS
    value: {{ $role.heap | quote }}
resources:
  requests:
    {{- $role.resources | toYaml | nindent 4 }}
  limits:
    {{- $role.resources | toYaml | nindent 4 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* (list $ .Values.workers) -> the init container that makes the key file: one that only its owner can read, as required */}}
{{- define "benchmark.keyContainer" -}}
- name: key
  {{- include "benchmark.container" . | nindent 2 }}
  command: [bash, /scripts/key.sh, /key-secret, /key/bench.key]
  volumeMounts:
    - {name: scripts, mountPath: /scripts, readOnly: true}
    - {name: key-secret, mountPath: /key-secret, readOnly: true}
    - {name: key, mountPath: /key}
    - {name: tmp, mountPath: /tmp}
{{- end -}}

{{- define "benchmark.mounts" -}}
- {name: key, mountPath: /key, readOnly: true}
- {name: results, mountPath: /results}
- {name: tmp, mountPath: /tmp}
{{- if .Values.existingSecret }}
- {name: secrets, mountPath: /secrets, readOnly: true}
{{- end }}
{{- end -}}

{{- define "benchmark.volumes" -}}
- name: scripts
  configMap:
    name: {{ include "benchmark.name" . }}-scripts
- name: key-secret
  secret:
    secretName: {{ include "benchmark.keySecret" . }}
    defaultMode: 0440
- name: key
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
{{- if .Values.existingSecret }}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{/* Keeps off nodes with broker pods; empty if there are none in this cluster. */}}
{{- define "benchmark.awayFromBrokers" -}}
{{- with .Values.brokers.podLabels -}}
- topologyKey: kubernetes.io/hostname
  labelSelector:
    matchLabels:
      {{- toYaml . | nindent 6 }}
  {{- if $.Values.brokers.namespaces }}
  namespaces:
    {{- toYaml $.Values.brokers.namespaces | nindent 4 }}
  {{- else }}
  namespaceSelector: {}
  {{- end }}
{{- end -}}
{{- end -}}

{{- define "benchmark.awayFromWorkers" -}}
- topologyKey: kubernetes.io/hostname
  labelSelector:
    matchLabels:
      {{- include "benchmark.selector" (list . "worker") | nindent 6 }}
{{- end -}}

{{/* (dict "root" $ "placed" names "wished" names): affinity terms that placement rules, and terms that are only preferred in any case */}}
{{- define "benchmark.affinity" -}}
{{- $required := list -}}
{{- $preferred := list -}}
{{- range .placed -}}
{{- $terms := include . $.root | fromYamlArray -}}
{{- if eq $.root.Values.placement "required" -}}
{{- $required = concat $required $terms -}}
{{- else -}}
{{- $preferred = concat $preferred $terms -}}
{{- end -}}
{{- end -}}
{{- range .wished -}}
{{- $preferred = concat $preferred (include . $.root | fromYamlArray) -}}
{{- end -}}
podAntiAffinity:
  {{- with $required }}
  requiredDuringSchedulingIgnoredDuringExecution:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $preferred }}
  preferredDuringSchedulingIgnoredDuringExecution:
    {{- range . }}
    - weight: 100
      podAffinityTerm:
        {{- toYaml . | nindent 8 }}
    {{- end }}
  {{- end }}
{{- end -}}

{{/* (list $ .Values.workers placed wished) -> where a pod goes, and that it stays there */}}
{{- define "benchmark.podPlace" -}}
{{- $role := index . 1 -}}
affinity:
  {{- include "benchmark.affinity" (dict "root" (index . 0) "placed" (index . 2) "wished" (index . 3)) | nindent 2 }}
{{- with $role.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $role.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
