import { z } from 'zod'
import { CertificateProblem } from './certificates.ts'
import { Id, pageQuery, Pagination, sentencesOf, singleLine, Timestamp } from './common.ts'
import { DetectedRecord, DnsMode } from './domains.ts'

/** Deliverability checks, 25 points each. */
export const authCheckNames = ['spf', 'dkim', 'dmarc', 'mx'] as const
export type AuthCheckName = (typeof authCheckNames)[number]

export const AuthCheckStatus = z.enum(['pass', 'fail'])
export type AuthCheckStatus = z.infer<typeof AuthCheckStatus>

/** Results of a record check. `record` is the existing value. */
export const authCheckTexts = {
  FOUND: '{{record}}',
  SPF_MISSING: 'No TXT record of {{domain}} starts with v=spf1',
  SPF_SEVERAL:
    '{{record}} – but {{count}} TXT records of {{domain}} start with v=spf1, and receivers ignore all of them if there are several: ' +
    'keep one',
  SPF_WITHOUT_END: '{{record}} – must end in ~all, -all or ?all, with spaces between its terms',
  DMARC_MISSING: 'No TXT record of _dmarc.{{domain}} starts with v=DMARC1',
  DMARC_WITHOUT_POLICY: '{{record}} – must have exactly one p= tag: none, quarantine or reject',
  MX_MISSING: '{{domain}} has no MX record',
  MX_TAKES_NONE: 'The MX record of {{domain}} says that it accepts no mail',
  MX_ELSEWHERE: '{{record}} – not {{own}}: change it to receive mail for {{domain}} on this server',
  DKIM_MISSING: 'No TXT record at {{name}}',
  DKIM_MATCHES: '{{name}} has the active DKIM key',
  DKIM_NO_KEY: '{{domain}} has no DKIM key yet',
  DKIM_NOT_SIGNING: '{{name}} – but this server has no key for it, so mail is not signed',
  DKIM_NOT_OURS: '{{record}} – but this is not the active DKIM key of this server ({{name}})',
  DKIM_OTHER_KEY: '{{record}} – {{name}} has a different key than the active one',
  DKIM_NOT_SEEN: 'No TXT record found at {{name}} yet: add it, then check again',
  NO_ANSWER: 'No resolver responded ({{errors}}): check again later',
  NOT_CHECKED: 'Not checked yet',
  NOT_WRITTEN: '{{problem}}'
} as const
export type AuthCheckCode = keyof typeof authCheckTexts

export const AuthCheck = z
  .object({
    status: AuthCheckStatus,
    detail: z.string().meta({
      description: 'What was found, and what to do.',
      examples: ['v=spf1 mx a ip4:192.0.2.10 ~all']
    }),
    sentences: sentencesOf('AuthCheckCode', authCheckTexts)
  })
  .meta({ id: 'AuthCheck' })
export type AuthCheck = z.infer<typeof AuthCheck>

export const AuthChecks = z
  .object({ spf: AuthCheck, dkim: AuthCheck, dmarc: AuthCheck, mx: AuthCheck })
  .meta({ id: 'AuthChecks' })
export type AuthChecks = z.infer<typeof AuthChecks>
/** The stored form: older versions did not write sentences. */
export type StoredAuthChecks = Record<AuthCheckName, Omit<AuthCheck, 'sentences'> & Partial<AuthCheck>>

/** What sending servers do if they cannot use trusted TLS (RFC 8461 §5). */
export const mtaStsModes = ['testing', 'enforce', 'none'] as const
export const MtaStsMode = z.enum(mtaStsModes)
export type MtaStsMode = z.infer<typeof MtaStsMode>

/** Best first. */
export const deliverabilityGrades = ['Excellent', 'Good', 'Needs Improvement', 'Poor'] as const
export const DeliverabilityGrade = z.enum(deliverabilityGrades)
export type DeliverabilityGrade = z.infer<typeof DeliverabilityGrade>

const recordPurposes = ['SPF', 'DKIM', 'DMARC', 'MX', 'Mail host', 'Service', 'MTA-STS', 'TLS-RPT'] as const
export const MailRecordPurpose = z.enum(recordPurposes)
export type MailRecordPurpose = z.infer<typeof MailRecordPurpose>

export const MailRecordType = z.enum(['TXT', 'MX', 'A', 'SRV'])
export type MailRecordType = z.infer<typeof MailRecordType>

export const RequiredRecord = z
  .object({
    purpose: MailRecordPurpose.meta({
      description:
        'Mail host: the address of the mail hostname below the domain. Service: lets mail clients find the server (RFC 6186). MTA-STS: ' +
        'announces the TLS policy for servers that send to the domain. TLS-RPT: where they report TLS results.'
    }),
    type: MailRecordType,
    name: z.string().meta({ description: 'Full name.', examples: ['_dmarc.example.com'] }),
    value: z.string().meta({ examples: ['v=DMARC1; p=none; rua=mailto:postmaster@example.com; pct=100'] }),
    priority: z.int().nullable().meta({ description: 'MX and SRV records only.' }),
    weight: z.int().nullable().meta({ description: 'SRV records only.' }),
    port: z.int().nullable().meta({ description: 'SRV records only.' }),
    ttl: z.int().meta({ examples: [3600] }),
    isOptional: z.boolean().meta({ description: 'Mail works without it.' }),
    isFound: z
      .boolean()
      .meta({ description: 'Whether the last check found it or an equivalent; false before the first check.' })
  })
  .meta({ id: 'RequiredRecord' })
export type RequiredRecord = z.infer<typeof RequiredRecord>

const mailDomain = {
  domainId: Id,
  domain: z.string(),
  dnsMode: DnsMode,
  mailboxCount: z.int(),
  dkimEnabled: z.boolean().meta({ description: 'Whether outgoing mail of the domain is signed.' }),
  dkimSelector: z
    .string()
    .nullable()
    .meta({ description: 'Selector of the ACTIVE key.', examples: ['default'] }),
  dkimRecord: z
    .string()
    .nullable()
    .meta({
      description: 'The TXT record of the ACTIVE key, at `<dkimSelector>._domainkey`.',
      examples: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…']
    }),
  spfConfigured: z.boolean(),
  dmarcConfigured: z.boolean(),
  mxConfigured: z.boolean(),
  deliverabilityScore: z.int().meta({ description: '25 points for each passing check.', examples: [100] }),
  deliverabilityGrade: DeliverabilityGrade,
  authChecks: AuthChecks,
  checkedAt: Timestamp.nullable().meta({
    description:
      'Time of the last DNS lookup for a CONNECTED domain; null before the first, and for a MANAGED domain, whose records are hosted ' +
      'here.'
  }),
  requiredRecords: z
    .array(RequiredRecord)
    .meta({ description: 'Records to add at the DNS provider of a CONNECTED domain; empty for a MANAGED one.' })
}

export const MailDomain = z.object(mailDomain).meta({ id: 'MailDomain' })
export type MailDomain = z.infer<typeof MailDomain>

export const MailAuthStatusResponse = z.object(mailDomain).meta({ id: 'MailAuthStatusResponse' })

export const MailDomainQuery = z.object({
  ...pageQuery(20, 100),
  search: singleLine(253).optional().meta({ description: 'Part of the name.' })
})
export type MailDomainQuery = z.infer<typeof MailDomainQuery>

export const MailDomainList = z
  .object({ domains: z.array(MailDomain), pagination: Pagination })
  .meta({ id: 'MailDomainList' })
export type MailDomainList = z.infer<typeof MailDomainList>

const DetectedMailRecord = DetectedRecord.extend({ recordType: MailRecordType }).meta({
  id: 'DetectedMailRecord'
})
export type DetectedMailRecord = z.infer<typeof DetectedMailRecord>

export const ReverseDnsStatus = z.enum(['pass', 'fail', 'unknown'])
export type ReverseDnsStatus = z.infer<typeof ReverseDnsStatus>

export const reverseDnsTexts = {
  CONFIRMED: '{{address}} resolves to {{hostname}}, and {{hostname}} resolves back to it',
  OTHER_NAME:
    '{{address}} resolves to {{name}} and back, but the server greets as {{hostname}}: ask the provider of {{address}} to set its ' +
    'reverse DNS to {{hostname}}',
  NO_NAME: '{{address}} has no reverse DNS: ask the provider of {{address}} to set it to {{hostname}}',
  NOT_BACK:
    '{{address}} resolves to {{names}}, which does not resolve back to it: ask the provider of {{address}} to set its reverse DNS to ' +
    '{{hostname}}, and add an address record for {{hostname}} with {{address}}',
  NO_ANSWER: authCheckTexts.NO_ANSWER
} as const
export type ReverseDnsCode = keyof typeof reverseDnsTexts

export const ReverseDnsCheck = z
  .object({
    status: ReverseDnsStatus.meta({
      description: 'pass: has a PTR record that resolves back to it. unknown: no resolver responded.'
    }),
    names: z.array(z.string()).meta({ description: 'Names in its PTR records.', examples: [['mail.example.com']] }),
    detail: z.string().meta({ description: 'What was found, and what to do.' }),
    sentences: sentencesOf('ReverseDnsCode', reverseDnsTexts)
  })
  .meta({ id: 'ReverseDnsCheck' })
export type ReverseDnsCheck = z.infer<typeof ReverseDnsCheck>

export const BlocklistStatus = z.enum(['clear', 'listed', 'refused', 'unknown'])
export type BlocklistStatus = z.infer<typeof BlocklistStatus>

/** Results of a blocklist lookup; `codes` and `reason` come from the list. */
export const blocklistTexts = {
  CLEAR: 'Not listed',
  LISTED: 'Listed ({{codes}})',
  LISTED_BECAUSE: 'Listed ({{codes}}): {{reason}}',
  REFUSED:
    'The blocklist does not answer the DNS resolvers of this server, because it blocks public ones: add a resolver of your own in Settings → DNS',
  UNKNOWN: 'No resolver returned a reliable answer'
} as const
export type BlocklistCode = keyof typeof blocklistTexts

export const BlocklistCheck = z
  .object({
    zone: z.string().meta({ examples: ['zen.spamhaus.org'] }),
    status: BlocklistStatus.meta({
      description:
        'refused: the list does not answer these resolvers. unknown: no resolver responded, or the list returned an invalid answer.'
    }),
    website: z
      .string()
      .nullable()
      .meta({ description: 'Where the operator explains listings and how to get delisted.' }),
    detail: z.string(),
    sentences: sentencesOf('BlocklistCode', blocklistTexts)
  })
  .meta({ id: 'BlocklistCheck' })
export type BlocklistCheck = z.infer<typeof BlocklistCheck>

export const ServerAddressCheck = z
  .object({
    address: z.string().meta({ examples: ['198.51.100.7'] }),
    reverseDns: ReverseDnsCheck,
    blocklists: z.array(BlocklistCheck)
  })
  .meta({ id: 'ServerAddressCheck' })
export type ServerAddressCheck = z.infer<typeof ServerAddressCheck>

export const MailServerCheck = z
  .object({
    hostname: z
      .string()
      .meta({ description: 'The name in the server’s SMTP greeting.', examples: ['mail.example.com'] }),
    spf: AuthCheck.meta({
      description:
        'For `hostname`, the envelope sender domain (SRS) of forwarded mail: without a record, forwarded mail fails SPF.'
    }),
    addresses: z
      .array(ServerAddressCheck)
      .meta({ description: 'Public addresses of this server; empty if it has none, and with PANEL_MOCK_DNS.' }),
    checkedAt: Timestamp.meta({ description: 'Results are cached for a few minutes for all users.' })
  })
  .meta({ id: 'MailServerCheck' })
export type MailServerCheck = z.infer<typeof MailServerCheck>

export const MailAuthCheckResult = z
  .object({
    ...mailDomain,
    detectedRecords: z
      .array(DetectedMailRecord)
      .meta({ description: 'Answers of the resolvers; empty for a MANAGED domain, which needs no lookup.' }),
    server: MailServerCheck.meta({ description: 'What receivers see of the sending server.' })
  })
  .meta({ id: 'MailAuthCheckResult' })
export type MailAuthCheckResult = z.infer<typeof MailAuthCheckResult>

export const MtaSts = z
  .object({
    domainId: Id,
    mode: MtaStsMode.meta({
      description:
        'testing: senders report failures but deliver. enforce: senders hold back mail without trusted TLS. none: no policy.'
    }),
    policy: z
      .string()
      .meta({ examples: ['version: STSv1\r\nmode: testing\r\nmx: mail.example.com\r\nmax_age: 86400\r\n'] }),
    policyUrl: z.url(),
    recordName: z.string().meta({ examples: ['_mta-sts.example.com'] }),
    recordValue: z.string().meta({
      description: 'The id changes with the policy.',
      examples: ['v=STSv1; id=3f2a9c0d5b7e41a68c0f9d2e7b1a4c58;']
    }),
    hostDomainId: Id.nullable().meta({
      description:
        'The entry for `mta-sts.<domain>`, which has its certificate; null if another account uses that name.'
    }),
    isServed: z.boolean().meta({ description: 'Whether the policy is served with a trusted certificate.' }),
    problem: z.string().nullable().meta({ description: 'Why there is no certificate, if issuance was tried.' }),
    sentences: CertificateProblem
  })
  .meta({ id: 'MtaSts' })
export type MtaSts = z.infer<typeof MtaSts>

export const ChangeMtaSts = z.object({ mode: MtaStsMode })
export type ChangeMtaSts = z.infer<typeof ChangeMtaSts>
