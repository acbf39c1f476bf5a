import type { RdataReader } from '../../record-types/rdata-reader.ts'
import { recordTypes } from '../../record-types/record-types.ts'
import type { LookupType } from './public-dns.ts'

export const lookupTypes: Readonly<Record<LookupType, { code: number; fromWire(rdata: RdataReader): string }>> = {
  ...recordTypes,
  // RFC 4034 §5.1. Only queried: DS records belong to the parent zone.
  DS: {
    code: 43,
    fromWire: (rdata) =>
      [rdata.uint16(), rdata.uint8(), rdata.uint8(), rdata.rest().toString('hex').toUpperCase()].join(' ')
  }
}
