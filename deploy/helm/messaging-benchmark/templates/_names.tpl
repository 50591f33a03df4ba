{{/* Names and labels. Pods of a StatefulSet have its name, a number and, in a label, a hash: 52 characters are left for the name. */}}

{{- define "benchmark.name" -}}
{{- $chart := .Chart.Name -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "benchmark.workers" -}}
{{ include "benchmark.name" . }}-worker
{{- end -}}

{{/* Each run is a new Job, because a Job cannot be changed. */}}
{{- define "benchmark.run" -}}
{{ include "benchmark.name" . }}-run-{{ .Release.Revision }}
{{- end -}}

{{- define "benchmark.keySecret" -}}
{{ .Values.key.existingSecret | default (printf "%s-key" (include "benchmark.name" .)) }}
{{- end -}}

{{- define "benchmark.filesMap" -}}
{{ .Values.existingConfigMap | default (printf "%s-files" (include "benchmark.name" .)) }}
{{- end -}}

{{- define "benchmark.claim" -}}
{{ .Values.results.existingClaim | default (printf "%s-results" (include "benchmark.name" .)) }}
{{- end -}}

{{- define "benchmark.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* (list $ "worker") -> labels that select its pods */}}
{{- define "benchmark.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* (list $ "worker") -> labels of an object */}}
{{- define "benchmark.labels" -}}
{{- $root := index . 0 -}}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
{{ include "benchmark.selector" . }}
{{- end -}}
