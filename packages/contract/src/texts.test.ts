import { expect, test } from 'vitest'
import { certificateProblemTexts } from './certificate-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { notificationTexts } from './notification-texts.ts'
import { overviewTexts } from './overview.ts'

test('tables that are said together have no code in common', () => {
  for (const texts of [notificationTexts, overviewTexts])
    for (const [code, text] of [...Object.entries(failureTexts), ...Object.entries(certificateProblemTexts)])
      expect(texts).toHaveProperty(code, text)
})
