import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { renderNotificationMail } from './channel-mail.render.ts'
import { channelRequests } from './channel-request.render.ts'
import type { ChannelMessage } from './message.render.ts'

const hostile =
  '<!channel> <@U1> <https://evil.example|click> @everyone @here `*_~|>#[x](https://evil.example)\\ \u202e <b>&amp;</b>\r\nBcc: x@evil.example'
const now = new Date('2026-01-02T03:04:05Z')
const message = (values: Partial<ChannelMessage> = {}): ChannelMessage => ({
  id: 'delivery',
  at: now.toISOString(),
  severity: 'problem',
  title: `Deployment failed: ${hostile}`,
  text: hostile,
  url: 'https://panel.example.org/projects/p',
  count: 1,
  notifications: [],
  ...values
})
const secrets = {
  WEBHOOK: { url: 'https://hooks.example/x', signingSecret: 'k' },
  SLACK: { url: 'https://hooks.example/x' },
  DISCORD: { url: 'https://hooks.example/x' },
  TELEGRAM: { botToken: '1:abcdefghijk', chatId: '-5' },
  NTFY: { url: 'https://ntfy.example', topic: 't', token: 'secret' },
  GOTIFY: { url: 'https://gotify.example/base//', token: 'secret' }
} as const
type Service = keyof typeof secrets
const services = Object.keys(secrets) as Service[]
const render = (service: Service, values: Partial<ChannelMessage> = {}) => {
  const request = channelRequests[service](message(values), secrets[service] as never, now)
  return { ...request, content: JSON.parse(request.body) as Record<string, unknown> }
}

describe.each(services)('%s', (service) => {
  test('no name gets into headers or the URL', () => {
    const { headers, url } = render(service)
    expect(JSON.stringify([headers, url])).not.toMatch(/evil|channel>|Bcc/)
  })
  test('long texts are truncated, never in the middle of a character', () => {
    const { body, content } = render(service, { title: '🔥'.repeat(9_000), text: '🔥'.repeat(90_000) })
    if (service !== 'WEBHOOK') expect(body.length).toBeLessThan(20_000)
    for (const text of textsOf(content)) expect(text.isWellFormed()).toBe(true)
  })
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

test('Slack: no mentions or disguised links: blocks are plain text, and the rest is escaped', () => {
  const { content } = render('SLACK')
  expect(content.text).not.toMatch(/[<>]/)
  const blocks = content.blocks as { text: { type: string } }[]
  expect(blocks.map(({ text }) => text.type)).toEqual(['plain_text', 'plain_text'])
})

test('Discord: mentions are off, and markdown is escaped', () => {
  const { content } = render('DISCORD')
  expect(content.allowed_mentions).toEqual({ parse: [] })
  const [{ description }] = content.embeds as [{ description: string }]
  expect(description).not.toMatch(/(?<!\\)(?:\\\\)*[`*_~|>#[\]()<@]/)
})

test('Telegram: no parse mode, and no link preview', () => {
  const { content } = render('TELEGRAM')
  expect(content).not.toHaveProperty('parse_mode')
  expect(content.link_preview_options).toEqual({ is_disabled: true })
})

test('a webhook is signed over its exact bytes and timestamp', () => {
  const { headers, body } = render('WEBHOOK')
  const mac = createHmac('sha256', 'k').update(`${headers['x-panel-timestamp']}.${body}`).digest('hex')
  expect(headers['x-panel-signature']).toBe(`sha256=${mac}`)
})

test('a token is sent as a header, never in the URL', () => {
  expect(render('GOTIFY')).toMatchObject({
    url: 'https://gotify.example/base/message',
    headers: { 'x-gotify-key': 'secret' }
  })
  expect(render('NTFY')).toMatchObject({ url: 'https://ntfy.example', headers: { authorization: 'Bearer secret' } })
})

test('mail: one-line subject, sent only to the account', () => {
  const mail = renderNotificationMail(message(), { name: `Ann\r\n${hostile}`, email: 'ann@example.com', locale: null })
  expect(mail.to).toBe('ann@example.com')
  expect(mail.subject).not.toMatch(/[\r\n]/)
  expect(mail.text.split('\n')[0]).toMatch(/^Hello Ann .*,$/)
})
