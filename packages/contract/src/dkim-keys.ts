import { z } from 'zod'
import { Id, pageQuery, Pagination, Timestamp } from './common.ts'

export const dkimKeyStatuses = ['ACTIVE', 'RETIRING', 'RETIRED'] as const
export const DkimKeyStatus = z.enum(dkimKeyStatuses)
export type DkimKeyStatus = z.infer<typeof DkimKeyStatus>

export const DkimKey = z
  .object({
    id: Id,
    domainId: Id,
    userId: Id,
    selector: z.string().meta({ examples: ['s20260131'] }),
    status: DkimKeyStatus.meta({
      description:
        'RETIRING: another has taken its place, and its record stays for mail that is under way. RETIRED: record and private key are gone.'
    }),
    publicKey: z.string().meta({
      description: 'DER in Base64, the `p=` of its record.',
      examples: ['MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…']
    }),
    keyLength: z.int().meta({ description: 'Bits.', examples: [2048] }),
    isSigning: z
      .boolean()
      .meta({ description: 'Whether mail is signed with it, which as a rule the signer knows at the same moment.' }),
    inDns: z
      .boolean()
      .meta({ description: 'Whether its record stands in a zone that is served here; of a CONNECTED domain never.' }),
    recordName: z.string().meta({ examples: ['default._domainkey.example.com'] }),
    recordValue: z.string().meta({ examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…'] }),
    createdAt: Timestamp,
    retiredAt: Timestamp.nullable().meta({ description: 'When another took its place; null of the ACTIVE one.' })
  })
  .meta({ id: 'DkimKey' })
export type DkimKey = z.infer<typeof DkimKey>

export const DkimKeyQuery = z.object(pageQuery(20, 100))
export type DkimKeyQuery = z.infer<typeof DkimKeyQuery>

export const DkimKeyList = z.object({ keys: z.array(DkimKey), pagination: Pagination }).meta({ id: 'DkimKeyList' })
export type DkimKeyList = z.infer<typeof DkimKeyList>

export const DkimRotation = z
  .object({ message: z.string(), oldKey: DkimKey, newKey: DkimKey })
  .meta({ id: 'DkimRotation' })
export type DkimRotation = z.infer<typeof DkimRotation>

export const RetireDkimKey = z.object({
  force: z.boolean().default(false).meta({
    description:
      'Although mail that was signed with it may still be under way: for a key that has got into other hands.'
  })
})
export type RetireDkimKey = z.infer<typeof RetireDkimKey>
