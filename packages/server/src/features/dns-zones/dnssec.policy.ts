import type { Dnssec } from '@panel/contract/dns-records'
import type { DsRecord } from '../../infra/dns-server/dns-server.ts'

/** What a person sees of a zone's signing, and what to do next. */
export function dnssecView(state: {
  isSigned: boolean
  dsRecords: readonly DsRecord[]
  /** As texts; null where no resolver can tell. */
  parentDs: readonly string[] | null
}): Dnssec {
  const dsRecords = state.dsRecords.map((ds) => ({ ...ds, text: textOf(ds) }))
  return {
    enabled: state.isSigned,
    dsRecords,
    dsAtParent: state.parentDs === null ? null : state.parentDs.length > 0,
    message: nextStep(state)
  }
}

const textOf = ({ keyTag, algorithm, digestType, digest }: DsRecord): string =>
  `${keyTag} ${algorithm} ${digestType} ${digest}`

const isOurs = (text: string, dsRecords: readonly DsRecord[]): boolean =>
  dsRecords.some((ds) => text.toUpperCase() === textOf(ds).toUpperCase())

function nextStep({ isSigned, dsRecords, parentDs }: Parameters<typeof dnssecView>[0]): string {
  if (!isSigned)
    return parentDs?.length
      ? 'The parent zone has a DS record of other keys: validating resolvers do not find this domain until it is removed at the registrar, or this zone is signed and its DS set there'
      : 'Not signed'
  if (dsRecords.length === 0) return 'The zone is being signed; ask again in a moment'
  if (parentDs === null) return 'Signed. No resolver says whether the DS record is set at the registrar'
  if (parentDs.length === 0) return 'Signed. Now set the DS record at the registrar; without it nobody validates'
  if (parentDs.some((text) => isOurs(text, dsRecords))) return 'Signed, and the parent zone has its DS record'
  return `The parent zone has a DS record, but none of this zone (found ${parentDs[0]}): validating resolvers cannot find the domain. Replace it at the registrar by ${textOf(dsRecords[0]!)}`
}
