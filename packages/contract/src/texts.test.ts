import { expect, test } from 'vitest'
import { certificateProblemTexts } from './certificate-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { notificationTexts } from './notification-texts.ts'
import { overviewTexts } from './overview.ts'
import { remedyTexts } from './remedy-texts.ts'

test('tables that are said together have no code in common', () => {
  for (const texts of [notificationTexts, overviewTexts])
    for (const [code, text] of [...Object.entries(failureTexts), ...Object.entries(certificateProblemTexts)])
      expect(texts).toHaveProperty(code, text)
  for (const [code, text] of Object.entries(remedyTexts)) expect(overviewTexts).toHaveProperty(code, text)
  const tables = [failureTexts, certificateProblemTexts, remedyTexts]
  expect(Object.keys(overviewTexts)).toHaveLength(tables.flatMap((table) => Object.keys(table)).length)
})
