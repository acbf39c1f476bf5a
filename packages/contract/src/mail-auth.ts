import { z } from 'zod'
import { CertificateProblem } from './certificates.ts'
import { Id, pageQuery, Pagination, sentencesOf, singleLine, Timestamp } from './common.ts'
import { DetectedRecord, DnsMode } from './domains.ts'

/** What receivers look at, each worth 25 points. */
export const authCheckNames = ['spf', 'dkim', 'dmarc', 'mx'] as const
export type AuthCheckName = (typeof authCheckNames)[number]

export const AuthCheckStatus = z.enum(['pass', 'fail'])
export type AuthCheckStatus = z.infer<typeof AuthCheckStatus>

/** What is said of a record that is looked for. `record` is what stands there. */
export const authCheckTexts = {
  FOUND: '{{record}}',
  SPF_MISSING: 'No TXT record of {{domain}} begins with v=spf1',
  SPF_SEVERAL:
    '{{record}} – but {{count}} TXT records of {{domain}} begin with v=spf1, and receivers take none of several: leave one',
  SPF_WITHOUT_END: '{{record}} – must end in ~all, -all or ?all, with spaces between its terms',
  DMARC_MISSING: 'No TXT record of _dmarc.{{domain}} begins with v=DMARC1',
  DMARC_WITHOUT_POLICY: '{{record}} – must have one p= tag: none, quarantine or reject',
  MX_MISSING: '{{domain}} has no MX record',
  MX_TAKES_NONE: 'The MX record of {{domain}} says that it takes no mail',
  MX_ELSEWHERE: '{{record}} – not {{own}}: mail to {{domain}} comes to this server if that is it',
  DKIM_MISSING: 'No TXT record at {{name}}',
  DKIM_MATCHES: '{{name}} has the key that mail is signed with',
  DKIM_NO_KEY: '{{domain}} has no key yet',
  DKIM_NOT_SIGNING: '{{name}} – but no key of it is here, and mail is not signed',
  DKIM_NOT_OURS: '{{record}} – but this is not the key that mail is signed with here ({{name}})',
  DKIM_OTHER_KEY: '{{record}} – {{name}} has another key than mail is signed with',
  DKIM_NOT_SEEN: 'No TXT record was seen at {{name}} yet: add it, then look again',
  NO_ANSWER: 'No resolver answered ({{errors}}): look again later',
  NOT_CHECKED: 'Not looked up yet',
  NOT_WRITTEN: '{{problem}}'
} as const
export type AuthCheckCode = keyof typeof authCheckTexts

export const AuthCheck = z
  .object({
    status: AuthCheckStatus,
    detail: z.string().meta({
      description: 'What is there, and what to do about it.',
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
/** As they lie in the store: without sentences where an earlier version looked. */
export type StoredAuthChecks = Record<AuthCheckName, Omit<AuthCheck, 'sentences'> & Partial<AuthCheck>>

/** RFC 8461 §5: what a server that sends to the domain does where it finds no TLS that it trusts. */
export const mtaStsModes = ['testing', 'enforce', 'none'] as const
export const MtaStsMode = z.enum(mtaStsModes)
export type MtaStsMode = z.infer<typeof MtaStsMode>

/** The best first. */
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
        'Mail host: the address of a name below the domain. Service: where mail programs find it (RFC 6186). MTA-STS: that there is a policy of ' +
        'TLS for servers that send to the domain. TLS-RPT: where they report what came of it.'
    }),
    type: MailRecordType,
    name: z.string().meta({ description: 'In full.', examples: ['_dmarc.example.com'] }),
    value: z.string().meta({ examples: ['v=DMARC1; p=none; rua=mailto:postmaster@example.com; pct=100'] }),
    priority: z.int().nullable().meta({ description: 'Of an MX or SRV record.' }),
    weight: z.int().nullable().meta({ description: 'Of an SRV record.' }),
    port: z.int().nullable().meta({ description: 'Of an SRV record.' }),
    ttl: z.int().meta({ examples: [3600] }),
    isOptional: z.boolean().meta({ description: 'Mail comes and goes without it.' }),
    isFound: z
      .boolean()
      .meta({ description: 'Whether the last check found it, or another that does as well; false before the first.' })
  })
  .meta({ id: 'RequiredRecord' })
export type RequiredRecord = z.infer<typeof RequiredRecord>

const mailDomain = {
  domainId: Id,
  domain: z.string(),
  dnsMode: DnsMode,
  mailboxCount: z.int(),
  dkimEnabled: z.boolean().meta({ description: 'Whether what the domain sends is signed.' }),
  dkimSelector: z
    .string()
    .nullable()
    .meta({ description: 'Of the ACTIVE key.', examples: ['default'] }),
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
  deliverabilityScore: z.int().meta({ description: '25 points for each check that passes.', examples: [100] }),
  deliverabilityGrade: DeliverabilityGrade,
  authChecks: AuthChecks,
  checkedAt: Timestamp.nullable().meta({
    description:
      'When the records were looked up, of a CONNECTED domain; null before, and of a MANAGED one, whose records are here.'
  }),
  requiredRecords: z
    .array(RequiredRecord)
    .meta({ description: 'What to add where the DNS of a CONNECTED domain is; empty of a MANAGED one.' })
}

export const MailDomain = z.object(mailDomain).meta({ id: 'MailDomain' })
export type MailDomain = z.infer<typeof MailDomain>

export const MailAuthStatusResponse = z.object(mailDomain).meta({ id: 'MailAuthStatusResponse' })

export const MailDomainQuery = z.object({
  ...pageQuery(20, 100),
  search: singleLine(253).optional().meta({ description: 'A part of the name.' })
})
export type MailDomainQuery = z.infer<typeof MailDomainQuery>

export const MailDomainList = z
  .object({ domains: z.array(MailDomain), pagination: Pagination })
  .meta({ id: 'MailDomainList' })
export type MailDomainList = z.infer<typeof MailDomainList>

/** What one resolver said about one name. */
const DetectedMailRecord = DetectedRecord.extend({ recordType: MailRecordType }).meta({
  id: 'DetectedMailRecord'
})
export type DetectedMailRecord = z.infer<typeof DetectedMailRecord>

export const ReverseDnsStatus = z.enum(['pass', 'fail', 'unknown'])
export type ReverseDnsStatus = z.infer<typeof ReverseDnsStatus>

/** What is said of the name of an address. */
export const reverseDnsTexts = {
  CONFIRMED: '{{address}} is {{hostname}}, and {{hostname}} leads back to it',
  OTHER_NAME:
    '{{address}} is {{name}}, which leads back to it, but the server greets as {{hostname}}: ask your provider to set its reverse DNS to {{hostname}}',
  NO_NAME: '{{address}} has no name: ask your provider to set its reverse DNS to {{hostname}}',
  NOT_BACK:
    '{{address}} is {{names}}, which does not lead back to it: ask your provider to set its reverse DNS to {{hostname}}, with an address record of {{hostname}} that names {{address}}',
  NO_ANSWER: authCheckTexts.NO_ANSWER
} as const
export type ReverseDnsCode = keyof typeof reverseDnsTexts

export const ReverseDnsCheck = z
  .object({
    status: ReverseDnsStatus.meta({
      description: 'pass: it has a name that leads back to it. unknown: no resolver answered.'
    }),
    names: z.array(z.string()).meta({ description: 'Of its PTR records.', examples: [['mail.example.com']] }),
    detail: z.string().meta({ description: 'What is there, and what to do about it.' }),
    sentences: sentencesOf('ReverseDnsCode', reverseDnsTexts)
  })
  .meta({ id: 'ReverseDnsCheck' })
export type ReverseDnsCheck = z.infer<typeof ReverseDnsCheck>

export const BlocklistStatus = z.enum(['clear', 'listed', 'refused', 'unknown'])
export type BlocklistStatus = z.infer<typeof BlocklistStatus>

/** What is said of a list's answer; `codes` and `reason` are its own words. */
export const blocklistTexts = {
  CLEAR: 'Not listed',
  LISTED: 'Listed ({{codes}})',
  LISTED_BECAUSE: 'Listed ({{codes}}): {{reason}}',
  REFUSED:
    'The list does not answer the resolvers of DNS_RESOLVERS, as public ones are refused: add a resolver of your own',
  UNKNOWN: 'No resolver got an answer that can be relied on'
} as const
export type BlocklistCode = keyof typeof blocklistTexts

export const BlocklistCheck = z
  .object({
    zone: z.string().meta({ examples: ['zen.spamhaus.org'] }),
    status: BlocklistStatus.meta({
      description:
        'refused: the list does not answer the resolvers that were asked. unknown: no resolver answered, or the list answers what it must not.'
    }),
    website: z.string().nullable().meta({ description: 'Where its operator says why, and how an address gets off.' }),
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
    hostname: z.string().meta({ description: 'As the server greets others.', examples: ['mail.example.com'] }),
    spf: AuthCheck.meta({
      description:
        'Of `hostname`, which is the domain of the envelope senders (SRS) of forwarded mail: without a record it does not pass SPF.'
    }),
    addresses: z
      .array(ServerAddressCheck)
      .meta({ description: 'Public ones of this server; empty where it has none, and with PANEL_MOCK_DNS.' }),
    checkedAt: Timestamp.meta({ description: 'An answer is kept for some minutes, for everybody.' })
  })
  .meta({ id: 'MailServerCheck' })
export type MailServerCheck = z.infer<typeof MailServerCheck>

export const MailAuthCheckResult = z
  .object({
    ...mailDomain,
    detectedRecords: z
      .array(DetectedMailRecord)
      .meta({ description: 'What the resolvers say; empty for a MANAGED domain.' }),
    server: MailServerCheck.meta({ description: 'What receivers find of the server that the mail leaves from.' })
  })
  .meta({ id: 'MailAuthCheckResult' })
export type MailAuthCheckResult = z.infer<typeof MailAuthCheckResult>

export const MtaSts = z
  .object({
    domainId: Id,
    mode: MtaStsMode.meta({
      description:
        'testing: they tell of it and deliver all the same. enforce: they keep the mail back. none: they go by no policy any more.'
    }),
    policy: z
      .string()
      .meta({ examples: ['version: STSv1\r\nmode: testing\r\nmx: mail.example.com\r\nmax_age: 86400\r\n'] }),
    policyUrl: z.url(),
    recordName: z.string().meta({ examples: ['_mta-sts.example.com'] }),
    recordValue: z.string().meta({
      description: 'With an id that is another for another policy.',
      examples: ['v=STSv1; id=3f2a9c0d5b7e41a68c0f9d2e7b1a4c58;']
    }),
    hostDomainId: Id.nullable().meta({
      description:
        'The entry of `mta-sts.<domain>`, by which its certificate is found; null if that name is a domain of an account.'
    }),
    isServed: z.boolean().meta({ description: 'Whether the policy is there, with a certificate that others trust.' }),
    problem: z.string().nullable().meta({ description: 'Why there is no certificate, as far as it was tried.' }),
    sentences: CertificateProblem
  })
  .meta({ id: 'MtaSts' })
export type MtaSts = z.infer<typeof MtaSts>

export const ChangeMtaSts = z.object({ mode: MtaStsMode })
export type ChangeMtaSts = z.infer<typeof ChangeMtaSts>
