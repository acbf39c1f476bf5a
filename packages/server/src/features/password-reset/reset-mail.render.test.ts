import { expect, test } from 'vitest'
import { renderResetMail } from './reset-mail.render.ts'

const ann = { email: 'ann@example.com', name: 'Ann', locale: null }

test.each([
  [
    { API_BASE_URL: 'http://localhost:3000', PANEL_DOMAIN: undefined },
    'http://localhost:3000/reset-password#token=abc'
  ],
  [
    { API_BASE_URL: 'https://api.panel.example', PANEL_DOMAIN: 'panel.example' },
    'https://panel.example/reset-password#token=abc'
  ]
])('the link of %j', (config, link) => {
  const message = renderResetMail(config, ann, 'abc', 30)
  expect(message.to).toBe('ann@example.com')
  expect(message.text.split('\n')).toContain(link)
  expect(message.text).toContain('within 30 minutes')
})

test.each([
  ['de-AT', 'Hallo Ann,', 'innerhalb von 30 Minuten'],
  ['fr', 'Hello Ann,', 'within 30 minutes']
])('is written in the language of an account with the locale %s', (locale, ...parts) => {
  const { text } = renderResetMail(
    { API_BASE_URL: 'http://localhost:3000', PANEL_DOMAIN: undefined },
    { ...ann, locale },
    'abc',
    30
  )
  for (const part of parts) expect(text).toContain(part)
})
