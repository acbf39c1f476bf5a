import type { DnsRecordType } from '@panel/contract/dns-records'
import { a, aaaa } from './address.ts'
import { caa } from './caa.ts'
import { sshfp, tlsa } from './digest.ts'
import { cname, mx, ns, ptr, srv } from './host.ts'
import { naptr } from './naptr.ts'
import type { RecordContent, RecordType } from './record-type.ts'
import { https, svcb } from './svcb.ts'
import { txt } from './txt.ts'

export const recordTypes: Readonly<Record<DnsRecordType, RecordType>> = {
  A: a,
  AAAA: aaaa,
  CNAME: cname,
  MX: mx,
  TXT: txt,
  NS: ns,
  SRV: srv,
  CAA: caa,
  PTR: ptr,
  SSHFP: sshfp,
  TLSA: tlsa,
  SVCB: svcb,
  HTTPS: https,
  NAPTR: naptr
}

export const isRecordType = (text: string): text is DnsRecordType => Object.hasOwn(recordTypes, text)

/** Same format as lookups (infra/public-dns): `10 mail.example.com`, `0 5 5060 sip.example.com`. */
export const presentationOf = ({ priority, weight, port, value }: RecordContent): string =>
  [...[priority, weight, port].filter((number) => number !== null), value].join(' ')

export const rdataOf = (type: DnsRecordType, record: RecordContent): string =>
  presentationOf({ ...record, value: recordTypes[type].file.write(record.value) })
