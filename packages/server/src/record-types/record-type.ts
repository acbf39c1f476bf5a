import { type Described, sentenceOf } from '@panel/contract/details'
import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import type { RdataReader } from './rdata-reader.ts'

export type NumberMember = 'priority' | 'weight' | 'port'

/** What a record says of its name, beside its type. */
export interface RecordContent {
  value: string
  priority: number | null
  weight: number | null
  port: number | null
}

/** The same, where it stands. */
export interface OwnedContent extends RecordContent {
  /** Full name in lower case, without the dot at the end. */
  owner: string
}

/** A field of a zone file's record, still with escapes; without the quotes around it. */
export interface ZoneField {
  text: string
  isQuoted: boolean
}

/** What is wrong with a member of a record; the message is the end of a sentence that begins with the path. */
export interface RecordProblem extends Described {
  path: string
  message: string
}

export const recordProblem = (path: string, described: Described): RecordProblem => ({
  path,
  message: sentenceOf(described),
  ...described
})

/** What is wrong with a value. */
export class ValueProblem extends Error {
  readonly described: Described
  constructor(code: Described['code'], values?: Described['values']) {
    const described = { code, ...(values && { values }) }
    super(sentenceOf(described))
    this.described = described
  }
}

/** Everything that is known of a type; one row of `recordTypes`. */
export interface RecordType {
  /** In messages, as IANA has assigned it. */
  code: number
  /** Numbers beside the value; each is required. In messages and zone files they stand before it, in this order. */
  members: readonly NumberMember[]
  /** The normal form of a value as people write it; `origin` is what a label alone is relative to. Throws ValueProblem. */
  normalize(value: string, origin: string): string
  /** Why no record of the type can have this name; `hostname` is that of the domain. */
  ownerProblem?(owner: string, hostname: string): Described | undefined
  /** Why the members, each in order by itself, do not go together. */
  contentProblem?(record: OwnedContent): RecordProblem | undefined
  /** Why two records of the type cannot have the same name. */
  conflict?(candidate: OwnedContent, other: RecordContent): Sentence<ZoneLineCode> | undefined
  /** Whether upper and lower case are different values; host names and addresses do not tell them apart. */
  isCaseSensitive: boolean
  /** No fewer than the bytes that the value, which is in normal form, has in a message. */
  wireBytes(value: string): number
  file: {
    /** How many fields a record has in a zone file; undefined where it varies. */
    fields?: number
    /** Which of them are names that are relative to the $ORIGIN; they come in full, with the dot at the end. */
    names: readonly number[]
    /** The value of these fields, those of `members` left out, for `normalize`. Throws ValueProblem. */
    read(fields: readonly ZoneField[]): string
    /** The value, in normal form, as fields of a zone file. */
    write(value: string): string
  }
  /** A record as resolvers have it: the members and the value in normal form, with spaces between. Throws RangeError. */
  fromWire(rdata: RdataReader): string
}

/** Of a value whose text is no shorter than its bytes: one length more for each 255 of them. */
export function textBytes(value: string): number {
  const bytes = Buffer.byteLength(value)
  return bytes + 2 + Math.ceil(bytes / 255)
}

export const firstText = ([field]: readonly ZoneField[]): string => field?.text ?? ''
