import { type Described, sentenceOf } from '@panel/contract/details'
import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import type { RdataReader } from './rdata-reader.ts'

export type NumberMember = 'priority' | 'weight' | 'port'

export interface RecordContent {
  value: string
  priority: number | null
  weight: number | null
  port: number | null
}

export interface OwnedContent extends RecordContent {
  owner: string
}

export interface ZoneField {
  text: string
  isQuoted: boolean
}

/** A problem with a member of a record; `message` completes a sentence that starts with the path. */
export interface RecordProblem extends Described {
  path: string
  message: string
}

export const recordProblem = (path: string, described: Described): RecordProblem => ({
  path,
  message: sentenceOf(described),
  ...described
})

export class ValueProblem extends Error {
  readonly described: Described
  constructor(code: Described['code'], values?: Described['values']) {
    const described = { code, ...(values && { values }) }
    super(sentenceOf(described))
    this.described = described
  }
}

export interface RecordType {
  code: number
  /** Required numeric members; in DNS messages and zone files they precede the value in this order. */
  members: readonly NumberMember[]
  /** Normalises a user-entered value; a single label is relative to `origin`. Throws ValueProblem. */
  normalize(value: string, origin: string): string
  ownerProblem?(owner: string, hostname: string): Described | undefined
  contentProblem?(record: OwnedContent): RecordProblem | undefined
  conflict?(candidate: OwnedContent, other: RecordContent): Sentence<ZoneLineCode> | undefined
  isCaseSensitive: boolean
  wireBytes(value: string): number
  file: {
    fields?: number
    /** Indexes of fields that are names relative to $ORIGIN; they arrive absolute, with trailing dot. */
    names: readonly number[]
    /** Builds the value for `normalize` from the fields without `members`. Throws ValueProblem. */
    read(fields: readonly ZoneField[]): string
    write(value: string): string
  }
  /** Members and normalised value, separated by spaces, from wire format. Throws RangeError. */
  fromWire(rdata: RdataReader): string
}

/** Bound for values whose text is at least as long as their bytes: one length byte per 255 bytes. */
export function textBytes(value: string): number {
  const bytes = Buffer.byteLength(value)
  return bytes + 2 + Math.ceil(bytes / 255)
}

export const firstText = ([field]: readonly ZoneField[]): string => field?.text ?? ''
