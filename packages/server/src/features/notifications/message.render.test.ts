import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Sentence } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import { renderMessage } from './message.render.ts'
import type { NotificationRow } from './notifications.repository.ts'

const at = new Date('2026-01-02T03:04:05Z')

const row = (sentences: Sentence<NotificationCode>[]): NotificationRow => ({
  id: 'n',
  userId: 'u',
  kind: 'site-down',
  state: 'problem',
  subjectType: 'check',
  subjectId: 'c',
  subjectName: 'shop',
  text: 'as stored',
  sentences,
  link: null,
  readAt: null,
  plannedAt: null,
  createdAt: at
})

const facts = { id: 'd', at, dueAt: at, panelUrl: '', kinds: { 'site-down': 3 }, note: null } as const
const down: Sentence<NotificationCode>[] = [{ code: 'DOWN_STATUS', values: { url: 'https://a', status: 500 } }]
const unknown = [{ code: 'OF_A_NEWER_VERSION' }] as unknown as Sentence<NotificationCode>[]

test.each([
  ['en', down, 'Site is down: shop', 'as stored'],
  ['de', down, 'Website ist ausgefallen: shop', 'https://a'],
  ['de', [], 'Website ist ausgefallen: shop', 'as stored'],
  ['de', unknown, 'Website ist ausgefallen: shop', 'as stored']
] as const)('a message in %s with %j', (language, sentences, title, part) => {
  const message = renderMessage([row([...sentences])], { ...facts, count: 1, language })
  expect(message.title).toBe(title)
  expect(message.text).toContain(part)
  expect(message.text === 'as stored').toBe(part === 'as stored')
})

test('a digest in German', () => {
  const { title, text } = renderMessage([row(down), row(down)], {
    ...facts,
    count: 3,
    language: 'de',
    note: 'FLAPPING'
  })
  expect(title).toBe('3 Benachrichtigungen')
  expect(text).toMatch(/^3 × Website ist ausgefallen\n- .*https:\/\/a.*\n- .*\nund 1 weitere im Panel\nDer Status/)
})
