import { createHmac } from 'node:crypto'
import type { OutboundRequest } from '../../infra/outbound-http/outbound-http.ts'
import type { ChannelSecrets } from './channel-secret.ts'
import type { ChannelMessage } from './message.render.ts'

type HttpChannel = Exclude<keyof ChannelSecrets, 'EMAIL'>
type Render<Type extends HttpChannel> = (
  message: ChannelMessage,
  secret: ChannelSecrets[Type],
  now: Date
) => OutboundRequest

const json = (url: string, body: unknown, headers: Record<string, string> = {}): OutboundRequest => ({
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body)
})

const marks = { problem: '🔴', warning: '🟠', info: '🔵', good: '🟢' } as const
const priorities = { problem: 4, warning: 3, info: 2, good: 3 } as const
const gotifyPriorities = { problem: 8, warning: 5, info: 2, good: 4 } as const
const colours = { problem: 0xc92a2a, warning: 0xe8590c, info: 0x1971c2, good: 0x2f9e44 } as const

const titleOf = ({ severity, title }: ChannelMessage) => `${marks[severity]} ${title}`
const cut = (text: string, max: number): string => text.slice(0, max).toWellFormed()
const withUrl = ({ text, url }: ChannelMessage) => (url === null ? text : `${text}\n${url}`)

/** Slack's escape rules. Emphasis characters are harmless, because the text is sent as plain text. */
const forSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** All Discord markdown characters. Mentions are disabled separately. */
const forDiscord = (text: string): string => text.replace(/[\\`*_~|>#[\]()<@:-]/g, '\\$&')

/** Requests per service. Names in messages are attacker-controlled, so each escapes for its format. */
export const channelRequests: { readonly [Type in HttpChannel]: Render<Type> } = {
  WEBHOOK(message, { url, signingSecret }, now) {
    const body = JSON.stringify(message)
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signature = createHmac('sha256', signingSecret).update(`${timestamp}.${body}`).digest('hex')
    return {
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': message.id,
        'x-panel-timestamp': timestamp,
        'x-panel-signature': `sha256=${signature}`
      }
    }
  },
  SLACK: (message, { url }) =>
    json(url, {
      text: forSlack(cut(titleOf(message), 150)),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: cut(titleOf(message), 150), emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: cut(withUrl(message), 2_900), emoji: false } }
      ]
    }),
  DISCORD: (message, { url }) =>
    json(url, {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: cut(forDiscord(message.title), 256),
          description: cut(forDiscord(message.text), 4_000),
          color: colours[message.severity],
          timestamp: message.at,
          ...(message.url?.startsWith('http') ? { url: message.url } : {})
        }
      ]
    }),
  TELEGRAM: (message, { botToken, chatId }) =>
    json(`https://api.telegram.org/bot${botToken}/sendMessage`, {
      chat_id: chatId,
      text: cut(`${titleOf(message)}\n\n${withUrl(message)}`, 4_000),
      link_preview_options: { is_disabled: true }
    }),
  // JSON, because ntfy's header API is limited to ASCII.
  NTFY: (message, { url, topic, token }) =>
    json(
      url,
      {
        topic,
        title: cut(message.title, 250),
        message: cut(message.text, 3_500),
        priority: priorities[message.severity],
        ...(message.url === null ? {} : { click: message.url })
      },
      token === undefined ? {} : { authorization: `Bearer ${token}` }
    ),
  GOTIFY: (message, { url, token }) =>
    json(
      `${url.replace(/\/+$/, '')}/message`,
      {
        title: cut(message.title, 250),
        message: cut(withUrl(message), 4_000),
        priority: gotifyPriorities[message.severity],
        extras: { 'client::display': { contentType: 'text/plain' } }
      },
      { 'x-gotify-key': token }
    )
}
