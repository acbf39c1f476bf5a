import { parse } from 'dotenv'
import { expect, test } from 'vitest'
import { renderBackupSettings } from './panel-settings.render.ts'

const secrets = { SESSION_SECRET: 'a'.repeat(32), ENCRYPTION_KEY: `it's "quoted" # with a hash` }

test.each([
  ['an empty file', ''],
  ['other settings without a last line end', '# note\nPORT=3000'],
  ['another key than the one in use', `ENCRYPTION_KEY=old\nSESSION_SECRET=${secrets.SESSION_SECRET}\n`]
])('the secrets in use are added to %s', (_name, text) => {
  const rendered = renderBackupSettings(text, secrets)
  expect(rendered.startsWith(text)).toBe(true)
  expect(parse(rendered)).toEqual({ ...parse(text), ...secrets })
})

test('a file with all of them stays as it is', () => {
  const text = `SESSION_SECRET=${secrets.SESSION_SECRET}\nENCRYPTION_KEY=\`${secrets.ENCRYPTION_KEY}\`\n`
  expect(renderBackupSettings(text, secrets)).toBe(text)
})
