import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { germanCertificateProblemTexts } from '@panel/contract/certificate-texts.de'
import { commitStatusTexts } from '@panel/contract/commit-status'
import { detectionNoteTexts } from '@panel/contract/detection-texts'
import { deliveryReasonTexts } from '@panel/contract/delivery-reason-texts'
import { deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import { dnssecTexts } from '@panel/contract/dns-records'
import { delegationTexts, verificationTexts } from '@panel/contract/domain-texts'
import { skippedVariableTexts } from '@panel/contract/env-vars'
import { explainTexts } from '@panel/contract/explain-texts'
import { failureTexts } from '@panel/contract/failure-texts'
import { germanFailureTexts } from '@panel/contract/failure-texts.de'
import { machineProblemTexts, machineUpgradeFailureTexts, placementTexts } from '@panel/contract/machine-texts'
import { authCheckTexts, blocklistTexts, reverseDnsTexts } from '@panel/contract/mail-auth'
import { notificationTexts } from '@panel/contract/notification-texts'
import { germanNotificationTexts } from '@panel/contract/notification-texts.de'
import { remedyTexts } from '@panel/contract/remedy-texts'
import type { SentenceTexts } from '@panel/contract/sentences'
import { SettingCountsFrom, SettingFixedReason } from '@panel/contract/settings'
import { wordpressTaskProblemTexts } from '@panel/contract/wordpress-care-texts'
import { germanWordpressTaskProblemTexts } from '@panel/contract/wordpress-care-texts.de'
import { wordpressNoteTexts, wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { germanWordpressProblemTexts } from '@panel/contract/wordpress-texts.de'
import { zoneLineTexts } from '@panel/contract/zone-line-texts'

interface SentenceTable {
  /** English texts by code; for settings only the codes. */
  texts: SentenceTexts<string>
  /** The translations: texts of the contract, or a catalogue without `.de.json`, whose keys start with `word`. */
  german: SentenceTexts<string> | string
  word: string
}

const table = (texts: SentenceTexts<string>, german: SentenceTable['german'], word: string): SentenceTable => ({
  texts,
  german,
  word
})
const codesOnly = (codes: readonly string[]) => Object.fromEntries(codes.map((code) => [code, code]))

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
  table(certificateProblemTexts, germanCertificateProblemTexts, 'problem'),
  table(skippedVariableTexts, 'features/variables/variables', 'skipped'),
  table(detectionNoteTexts, 'features/projects/projects', 'note'),
  table(commitStatusTexts, 'features/projects/project-settings', 'commitProblem'),
  table(deliveryReasonTexts, 'features/projects/project-settings', 'deliveryReason'),
  table(machineProblemTexts, 'features/machines/machines', 'machineProblem'),
  table(machineUpgradeFailureTexts, 'features/machines/machines', 'machineUpgradeFailure'),
  table(placementTexts, 'features/machines/machines', 'placement'),
  table(remedyTexts, 'ui/shared-texts/remedy', 'remedy'),
  table(wordpressProblemTexts, germanWordpressProblemTexts, 'import'),
  table(wordpressTaskProblemTexts, germanWordpressTaskProblemTexts, 'task'),
  table(wordpressNoteTexts, 'features/wordpress/wordpress', 'note'),
  table(explainTexts, 'features/explain/explain', 'explain'),
  table(failureTexts, germanFailureTexts, 'reason'),
  table(notificationTexts, germanNotificationTexts, 'text'),
  table(codesOnly(SettingFixedReason.options), 'features/settings/settings', 'fixed'),
  table(codesOnly(SettingCountsFrom.options), 'features/settings/settings', 'counts'),
  table(codesOnly(['bytes', 'seconds', 'days', 'MB', 'GB', '%', 'cores']), 'features/settings/settings', 'unit')
]
