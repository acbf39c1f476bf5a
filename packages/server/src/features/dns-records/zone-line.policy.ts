import type { ZoneLine } from '@panel/contract/dns-records'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type ZoneLineCode, zoneLineTexts } from '@panel/contract/zone-line-texts'

export const zoneLine = (line: number, why: Sentence<ZoneLineCode>): ZoneLine => ({
  line,
  reason: sentenceText(zoneLineTexts, [why]),
  sentences: [why]
})

export const errorOf = ({ line, reason }: ZoneLine): string => `line ${line}: ${reason}`
