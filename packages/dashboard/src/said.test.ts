import { dnssecTexts } from '@panel/contract/dns-records'
import { failureTexts } from '@panel/contract/failure-texts'
import { authCheckTexts, blocklistTexts, reverseDnsTexts } from '@panel/contract/mail-auth'
import { notificationTexts } from '@panel/contract/notification-texts'
import { expect, test } from 'vitest'
import deploymentsGerman from './features/deployments/deployments.de.json'
import deploymentsEnglish from './features/deployments/deployments.en.json'
import dnsRecordsGerman from './features/dns-records/dns-records.de.json'
import dnsRecordsEnglish from './features/dns-records/dns-records.en.json'
import mailAuthGerman from './features/mail-auth/mail-auth.de.json'
import mailAuthEnglish from './features/mail-auth/mail-auth.en.json'
import notificationsGerman from './features/notifications/notifications.de.json'
import notificationsEnglish from './features/notifications/notifications.en.json'
import type { Catalogue } from './i18n/messages.ts'

/** What the contract says by codes, the word before them, and the catalogues that say it in a page. */
const said: readonly (readonly [Catalogue, string, Catalogue, Catalogue])[] = [
  [authCheckTexts, 'check', mailAuthEnglish, mailAuthGerman],
  [reverseDnsTexts, 'reverse', mailAuthEnglish, mailAuthGerman],
  [blocklistTexts, 'listing', mailAuthEnglish, mailAuthGerman],
  [dnssecTexts, 'signing', dnsRecordsEnglish, dnsRecordsGerman],
  [failureTexts, 'reason', deploymentsEnglish, deploymentsGerman],
  [notificationTexts, 'text', notificationsEnglish, notificationsGerman]
]
const rows = said.flatMap(([texts, word, english, german]) =>
  Object.entries(texts).map(([code, text]) => [`${word}.${code}`, text, english, german] as const)
)
const valuesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()

test.each(rows)(
  '%s is said as the contract says it, and in German with the same values',
  (key, text, english, german) => {
    expect(english[key]).toBe(text)
    expect(valuesIn(german[key] ?? '')).toEqual(valuesIn(text))
    // A text of values alone says nothing in any language.
    if (/^\{\{\w+\}\}$/.test(text)) expect(german[key]).toBe(text)
    else expect(german[key]).not.toBe(text)
  }
)

test.each(said)('of %# no sentence is left that the contract does not have', (texts, word, english) => {
  const codes = Object.keys(english).flatMap((key) =>
    /^\w+\.[A-Z_]+$/.test(key) && key.startsWith(`${word}.`) ? [key.slice(word.length + 1)] : []
  )
  expect(codes.filter((code) => !(code in texts))).toEqual([])
})
