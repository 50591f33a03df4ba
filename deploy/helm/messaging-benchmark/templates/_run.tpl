{{/* The run and its time limit. */}}

{{/* 1h30m -> 5400. Milliseconds are ignored. */}}
{{- define "benchmark.seconds" -}}
{{- $text := regexReplaceAll "[0-9]+ms$" . "" -}}
{{- $all := 0 -}}
{{- range $unit, $seconds := dict "d" 86400 "h" 3600 "m" 60 "s" 1 -}}
{{- $all = add $all (mul $seconds (regexFind (printf "[0-9]+%s" $unit) $text | trimSuffix $unit | default "0" | int64)) -}}
{{- end -}}
{{- $all -}}
{{- end -}}

{{- define "benchmark.deadline" -}}
{{- if .Values.run.deadline -}}
{{- include "benchmark.seconds" .Values.run.deadline -}}
{{- else if .Values.run.estimate -}}
{{- add (mul 2 (include "benchmark.seconds" .Values.run.estimate)) (include "benchmark.seconds" .Values.workers.wait) 1800 -}}
{{- else -}}
86400
{{- end -}}
{{- end -}}

{{/* my.yaml -> /files/my.yaml, kafka=my.yaml -> kafka=/files/my.yaml, anything with a slash unchanged */}}
{{- define "benchmark.file" -}}
{{- $system := regexFind "^[^=/]*=" .name -}}
{{- $file := trimPrefix $system .name -}}
{{- if contains "/" $file -}}
{{ .name }}
{{- else if or .root.Values.existingConfigMap (hasKey .root.Values.files $file) -}}
{{ $system }}/files/{{ $file }}
{{- else -}}
{{- fail (printf "run: %s: there is no such file in files (%s); a file of the image is named by its path, such as workloads/smoke/kafka-1kb.yaml" $file (keys .root.Values.files | sortAlpha | join ", " | default "which is empty")) -}}
{{- end -}}
{{- end -}}

{{/* The options that name the workers to bin/benchmark. Nothing here grows with their number. */}}
{{- define "benchmark.workersArguments" -}}
- --workers-file
- /workers/workers.yaml
- --key
- /key/bench.key
{{- end -}}

{{- define "benchmark.arguments" -}}
{{ include "benchmark.workersArguments" . }}
- --brokers
- external
{{- if .Values.metrics.enabled }}
- --metrics-host
- 0.0.0.0
- --metrics-port
- {{ .Values.metrics.port | quote }}
{{- end }}
{{- with .Values.run.drivers }}
{{- $files := list }}
{{- range . }}
{{- $files = append $files (include "benchmark.file" (dict "root" $ "name" .)) }}
{{- end }}
- --drivers
- {{ join "," $files | quote }}
{{- end }}
{{- with .Values.run.plan }}
- --plan
- {{ include "benchmark.file" (dict "root" $ "name" .) | quote }}
{{- end }}
{{- range .Values.run.options }}
- {{ . | quote }}
{{- end }}
{{- range .Values.run.workloads }}
- {{ include "benchmark.file" (dict "root" $ "name" .) | quote }}
{{- end }}
{{- end -}}

{{/* Checks whose messages are clearer than those of a schema. */}}
{{- define "benchmark.check" -}}
{{- $run := .Values.run -}}
{{- if and $run.plan $run.workloads -}}
{{- fail "run: either a plan or workloads: a plan says itself which workloads are run" -}}
{{- else if not (or $run.plan $run.workloads) -}}
{{- fail "run.workloads: name a workload at least (or run.plan a plan), such as workloads/smoke/kafka-1kb.yaml" -}}
{{- else if not (or $run.plan $run.drivers) -}}
{{- fail "run.drivers: name a driver file at least, which says where the brokers are" -}}
{{- end -}}
{{- if and .Values.files .Values.existingConfigMap -}}
{{- fail "files and existingConfigMap: only one of them" -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (not .Values.brokers.egress) -}}
{{- fail "brokers.egress: say where the brokers are, by egress rules of a NetworkPolicy, such as [{to: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 9092}]}]; [{}] is anywhere" -}}
{{- end -}}
{{- if and .Values.metrics.podMonitor.enabled (not .Values.metrics.enabled) -}}
{{- fail "metrics.podMonitor.enabled: needs metrics.enabled as well" -}}
{{- end -}}
{{- end -}}
