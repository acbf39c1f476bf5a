import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { commitStatusTexts } from '@panel/contract/commit-status'
import { detectionNoteTexts } from '@panel/contract/detection-texts'
import { deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import { dnssecTexts } from '@panel/contract/dns-records'
import { delegationTexts, verificationTexts } from '@panel/contract/domain-texts'
import { skippedVariableTexts } from '@panel/contract/env-vars'
import { explainTexts } from '@panel/contract/explain-texts'
import { failureTexts } from '@panel/contract/failure-texts'
import { authCheckTexts, blocklistTexts, reverseDnsTexts } from '@panel/contract/mail-auth'
import { notificationTexts } from '@panel/contract/notification-texts'
import { remedyTexts } from '@panel/contract/remedy-texts'
import type { SentenceTexts } from '@panel/contract/sentences'
import { SettingCountsFrom, SettingFixedReason } from '@panel/contract/settings'
import { wordpressNoteTexts, wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { zoneLineTexts } from '@panel/contract/zone-line-texts'

interface SentenceTable {
  /** English texts by code; for settings only the codes. */
  texts: SentenceTexts<string>
  /** Catalogue with the translations, without `.de.json`; its keys start with `word`. */
  path: string
  word: string
}

const table = (texts: SentenceTexts<string>, path: string, word: string): SentenceTable => ({ texts, path, word })
const codesOnly = (codes: readonly string[]) => Object.fromEntries(codes.map((code) => [code, code]))

const without = (texts: SentenceTexts<string>, ...others: SentenceTexts<string>[]) =>
  Object.fromEntries(Object.entries(texts).filter(([code]) => !others.some((other) => code in other)))

/** Server messages that the dashboard translates by code. */
export const sentenceTables: readonly SentenceTable[] = [
  table(authCheckTexts, 'features/mail-auth/mail-auth', 'check'),
  table(reverseDnsTexts, 'features/mail-auth/mail-auth', 'reverse'),
  table(blocklistTexts, 'features/mail-auth/mail-auth', 'listing'),
  table(deliveryCheckTexts, 'features/mailboxes/delivery-test', 'detail'),
  table(dnssecTexts, 'features/dns-records/dns-records', 'signing'),
  table(verificationTexts, 'ui/shared-texts/proof', 'proof'),
  table(zoneLineTexts, 'features/dns-records/dns-records', 'why'),
  table(delegationTexts, 'features/dns-records/dns-records', 'delegation'),
  table(certificateProblemTexts, 'ui/shared-texts/certificate-problem', 'problem'),
  table(skippedVariableTexts, 'features/variables/variables', 'skipped'),
  table(detectionNoteTexts, 'features/projects/projects', 'note'),
  table(commitStatusTexts, 'features/projects/projects', 'commitProblem'),
  table(remedyTexts, 'ui/shared-texts/remedy', 'remedy'),
  table(wordpressProblemTexts, 'ui/shared-texts/wordpress-problem', 'import'),
  table(wordpressNoteTexts, 'features/wordpress/wordpress', 'note'),
  table(explainTexts, 'features/explain/explain', 'explain'),
  table(failureTexts, 'ui/shared-texts/failure', 'reason'),
  table(
    without(notificationTexts, failureTexts, certificateProblemTexts, wordpressProblemTexts),
    'features/notifications/notifications',
    'text'
  ),
  table(codesOnly(SettingFixedReason.options), 'features/settings/settings', 'fixed'),
  table(codesOnly(SettingCountsFrom.options), 'features/settings/settings', 'counts'),
  table(codesOnly(['bytes', 'seconds', 'days', 'MB', 'GB', '%', 'cores']), 'features/settings/settings', 'unit')
]
