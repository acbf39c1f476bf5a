import { expect, test } from 'vitest'
import { renderAlertMail } from './alert-mail.render.ts'

test.each([
  [{ API_BASE_URL: 'http://localhost:3000', PANEL_DOMAIN: undefined }, 'http://localhost:3000;'],
  [{ API_BASE_URL: 'https://api.panel.example', PANEL_DOMAIN: 'panel.example' }, 'https://panel.example;']
])('of %j', (config, panel) => {
  const mail = renderAlertMail(
    config,
    { email: 'ann@example.com', name: 'Ann' },
    { hostname: 'shop.example', message: 'It failed.' }
  )
  expect(mail).toMatchObject({ to: 'ann@example.com', subject: 'The certificate of shop.example needs you' })
  expect(mail.text).toContain('It failed.')
  expect(mail.text).toContain(panel)
})
