import { expect, test } from 'vitest'
import { failureTexts } from './failure-texts.ts'
import { notificationTexts } from './notification-texts.ts'
import { overviewTexts } from './overview.ts'

test('tables that are said together have no code in common', () => {
  for (const texts of [notificationTexts, overviewTexts])
    for (const [code, text] of Object.entries(failureTexts)) expect(texts).toHaveProperty(code, text)
})
