import { expect, test } from 'vitest'
import { certificateProblemTexts } from './certificate-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { notificationTexts } from './notification-texts.ts'
import { overviewTexts } from './overview.ts'
import { remedyTexts } from './remedy-texts.ts'
import type { SentenceTexts } from './sentences.ts'
import { wordpressProblemTexts } from './wordpress-texts.ts'

test.each<[string, SentenceTexts<string>, readonly SentenceTexts<string>[]]>([
  ['the overview', overviewTexts, [failureTexts, certificateProblemTexts, remedyTexts]],
  ['notifications', notificationTexts, [failureTexts, certificateProblemTexts, wordpressProblemTexts]]
])('tables combined in %s share no codes', (_, all, tables) => {
  for (const [code, text] of tables.flatMap((table) => Object.entries(table))) expect(all).toHaveProperty(code, text)
  const codes = tables.flatMap((table) => Object.keys(table))
  expect(new Set(codes).size).toBe(codes.length)
})
