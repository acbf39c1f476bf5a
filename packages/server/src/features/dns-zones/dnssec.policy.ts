import { type Dnssec, type DnssecCode, dnssecTexts } from '@panel/contract/dns-records'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import type { DsRecord } from '../../infra/dns-server/dns-server.ts'

export function dnssecView(state: {
  isSigned: boolean
  dsRecords: readonly DsRecord[]
  parentDs: readonly string[] | null
}): Dnssec {
  const sentences = [nextStep(state)]
  const dsRecords = state.dsRecords.map((ds) => ({ ...ds, text: textOf(ds) }))
  return {
    enabled: state.isSigned,
    dsRecords,
    dsAtParent: state.parentDs === null ? null : state.parentDs.length > 0,
    message: sentenceText(dnssecTexts, sentences),
    sentences
  }
}

const textOf = ({ keyTag, algorithm, digestType, digest }: DsRecord): string =>
  `${keyTag} ${algorithm} ${digestType} ${digest}`

const isOurs = (text: string, dsRecords: readonly DsRecord[]): boolean =>
  dsRecords.some((ds) => text.toUpperCase() === textOf(ds).toUpperCase())

function nextStep({ isSigned, dsRecords, parentDs }: Parameters<typeof dnssecView>[0]): Sentence<DnssecCode> {
  if (!isSigned) return { code: parentDs?.length ? 'OTHER_KEYS' : 'OFF' }
  if (dsRecords.length === 0) return { code: 'BEING_SIGNED' }
  if (parentDs === null) return { code: 'DS_UNKNOWN' }
  const [found] = parentDs
  if (found === undefined) return { code: 'DS_MISSING' }
  if (parentDs.some((text) => isOurs(text, dsRecords))) return { code: 'COMPLETE' }
  return { code: 'DS_WRONG', values: { found, wanted: textOf(dsRecords[0]!) } }
}
