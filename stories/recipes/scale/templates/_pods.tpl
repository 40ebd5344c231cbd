{{/* Names and labels of a part: front, worker or haproxy. Takes (list . "front"). */}}
{{- define "name" }}{{ (index . 0).Release.Name }}-{{ index . 1 }}{{ end }}

{{- define "labels" -}}
app.kubernetes.io/name: page-preview
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Metadata of an object of that part. */}}
{{- define "metadata" -}}
name: {{ template "name" . }}
labels:
  {{- include "labels" . | nindent 2 }}
{{- end }}

{{/* What all pods have in common: no token of the cluster, no root, one in each zone first. Without service links, which would set
variables such as PAGE_PREVIEW_PORT for a Service named page-preview. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: 37
{{- with (index . 0).Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "labels" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "labels" . | nindent 8 }}
{{- end }}

{{- define "container-security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* At most one pod of a part is taken away at the same time. */}}
{{- define "disruption-budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ index . 2 }}
  selector:
    matchLabels:
      {{- include "labels" . | nindent 6 }}
{{- end }}

{{- define "service-monitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "metadata" . | nindent 2 }}
spec:
  selector:
    matchLabels:
      {{- include "labels" . | nindent 6 }}
  endpoints:
    - port: {{ index . 2 }}
{{- end }}
