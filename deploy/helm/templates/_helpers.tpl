{{- define "snapshot-bot.labels" -}}
app.kubernetes.io/name: snapshot-bot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
