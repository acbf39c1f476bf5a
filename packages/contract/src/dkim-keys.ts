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
        'RETIRING: replaced; its record stays for mail in transit. RETIRED: record and private key are deleted.'
    }),
    publicKey: z.string().meta({
      description: 'Base64-encoded DER: the `p=` value of its record.',
      examples: ['MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…']
    }),
    keyLength: z.int().meta({ description: 'Bits.', examples: [2048] }),
    isSigning: z.boolean().meta({ description: 'Whether mail is signed with this key.' }),
    inDns: z
      .boolean()
      .meta({ description: 'Whether its record is in a zone hosted here; never for a CONNECTED domain.' }),
    recordName: z.string().meta({ examples: ['default._domainkey.example.com'] }),
    recordValue: z.string().meta({ examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…'] }),
    createdAt: Timestamp,
    retiredAt: Timestamp.nullable().meta({ description: 'When it was replaced; null for the ACTIVE key.' })
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
    description: 'Retire the key although mail signed with it may still be in transit: for a compromised key.'
  })
})
export type RetireDkimKey = z.infer<typeof RetireDkimKey>
