import type { Schema } from '../../api/client.ts'

export type ChannelType = Exclude<Schema<'NotificationChannel'>['type'], 'EMAIL'>

const url = { name: 'url', label: 'field.url' } as const

export const fieldsOf = {
  WEBHOOK: [{ ...url, hint: 'field.url.webhook' }],
  SLACK: [{ ...url, hint: 'field.url.slack' }],
  DISCORD: [{ ...url, hint: 'field.url.discord' }],
  TELEGRAM: [
    { name: 'botToken', label: 'field.botToken', hint: 'field.botToken.hint' },
    { name: 'chatId', label: 'field.chatId', hint: 'field.chatId.hint' }
  ],
  NTFY: [
    { ...url, hint: 'field.url.ntfy' },
    { name: 'topic', label: 'field.topic', hint: undefined },
    { name: 'token', label: 'field.token', hint: 'field.token.optional' }
  ],
  GOTIFY: [
    { ...url, hint: 'field.url.gotify' },
    { name: 'token', label: 'field.token', hint: 'field.token.gotify' }
  ]
} as const satisfies Record<ChannelType, readonly object[]>
