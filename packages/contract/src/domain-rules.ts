import { z } from 'zod'
import { Id, singleLine } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'
import { isAddressOrNetwork } from './firewall.ts'

export const domainRuleKinds = [
  'ACCESS',
  'MAINTENANCE',
  'REDIRECT',
  'LOGIN',
  'REWRITE',
  'MAX_BODY',
  'TIMEOUT',
  'HEADER',
  'HSTS'
] as const
export type DomainRuleKind = (typeof domainRuleKinds)[number]
export const DomainRuleKind = z.enum(domainRuleKinds)

export const RuleMatch = z.enum(['PREFIX', 'EXACT'])
export const AccessMode = z.enum(['ALLOW', 'DENY'])

export const redirectStatuses = [301, 302, 307, 308] as const

/** HAProxy has no variable header names, so the proxy's configuration names each of these. */
export const responseHeaders = [
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
  'Cache-Control',
  'Content-Security-Policy',
  'Content-Security-Policy-Report-Only',
  'Cross-Origin-Embedder-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'X-Robots-Tag'
] as const
export const ResponseHeader = z.enum(responseHeaders)

/** Without `//`, dot segments and characters that the proxy's map files or commands give a meaning. */
export const rulePathPattern = /^\/$|^(?:\/(?!\.{1,2}(?:\/|$))(?:[A-Za-z0-9._~@,+=:-]|%[0-9A-F]{2})+)+\/?$/

const maxSegments = 8
const RulePath = z
  .string()
  .max(255)
  .regex(rulePathPattern, words.RULE_PATH)
  .refine((path) => path.split('/').filter(Boolean).length <= maxSegments, { error: words.RULE_PATH_DEPTH })
  .meta({ examples: ['/blog'], description: 'At most 8 segments, compared with the path as the browser sends it.' })

const targetPattern = /^(?:https?:\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?)?(?:\/[\x21-\x7e]*)?$/
const RedirectTarget = z
  .string()
  .min(1)
  .max(1_000)
  .regex(targetPattern, words.RULE_TARGET)
  .refine((target) => !/^\/[/\\]/.test(target), { error: words.RULE_TARGET })
  .meta({
    examples: ['https://www.example.com/blog'],
    description: 'A URL with http or https, or a path of this host.'
  })

const place = {
  id: Id.optional().meta({ description: 'Of an existing rule, whose passwords are kept. Assigned if missing.' }),
  enabled: z.boolean().default(true),
  match: RuleMatch.default('PREFIX').meta({
    description: 'PREFIX: `/app` matches `/app` and `/app/x`, not `/apple`.'
  }),
  path: RulePath.default('/'),
  note: singleLine(200).default('')
}

export const DomainRuleLogin = z.object({
  username: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\x21-\x39\x3b-\x7e]+$/, words.RULE_USERNAME),
  password: secret(singleLine(200).min(8).optional()).meta({
    description: 'Never returned. May be omitted for a user that the rule already has.'
  })
})

export const DomainRule = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('ACCESS'),
      ...place,
      mode: AccessMode.meta({ description: 'ALLOW: only these networks. DENY: all but these networks.' }),
      networks: z
        .array(z.string().max(64).refine(isAddressOrNetwork, { error: words.FIREWALL_SOURCE }))
        .min(1)
        .max(100)
        .meta({ examples: [['203.0.113.0/24']] })
    }),
    z.object({ kind: z.literal('MAINTENANCE'), ...place }),
    z.object({
      kind: z.literal('REDIRECT'),
      ...place,
      to: RedirectTarget,
      status: z.union(redirectStatuses.map((status) => z.literal(status))).default(302)
    }),
    z.object({ kind: z.literal('LOGIN'), ...place, users: z.array(DomainRuleLogin).min(1).max(20) }),
    z.object({
      kind: z.literal('REWRITE'),
      ...place,
      to: RulePath.meta({ description: 'The path that the site sees. The query string is kept.' })
    }),
    z.object({
      kind: z.literal('MAX_BODY'),
      ...place,
      bytes: z
        .int()
        .min(0)
        .max(1_000_000_000_000)
        .meta({ examples: [10_000_000] })
    }),
    z.object({ kind: z.literal('TIMEOUT'), ...place, seconds: z.int().min(1).max(3_600) }),
    z.object({
      kind: z.literal('HEADER'),
      ...place,
      name: ResponseHeader,
      value: z
        .string()
        .min(1)
        .max(1_000)
        .regex(/^[\x20-\x7e]+$/, words.RULE_HEADER_VALUE)
    }),
    z.object({
      kind: z.literal('HSTS'),
      ...place,
      maxAgeSeconds: z.int().min(0).max(63_072_000).default(31_536_000),
      includeSubdomains: z.boolean().default(false),
      preload: z.boolean().default(false)
    })
  ])
  .refine(({ kind, path }) => kind === 'REDIRECT' || kind === 'REWRITE' || !path.includes('%'), {
    error: words.RULE_PATH_ENCODED,
    path: ['path']
  })
  .meta({ id: 'DomainRule' })
export type DomainRule = z.infer<typeof DomainRule>

const rules = z
  .array(DomainRule)
  .max(500)
  .meta({ description: 'In order: of each kind, the first rule that matches applies; of headers, the first per name.' })

export const DomainRules = z
  .object({ rules, version: z.int().meta({ description: 'Increases with each change. 0: never changed.' }) })
  .meta({ id: 'DomainRules' })
export type DomainRules = z.infer<typeof DomainRules>

export const SaveDomainRules = z.object({
  rules,
  version: z.int().meta({ description: 'The version that you changed; 409 CONFLICT if it is outdated.' })
})
export type SaveDomainRules = z.infer<typeof SaveDomainRules>

export const DomainRuleTestQuery = z.object({
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[\x21-\x7e]+$/, words.RULE_TEST_URL)
    .meta({ description: 'A URL of the domain.', examples: ['https://shop.example.com/blog'] }),
  address: z
    .union([z.ipv4(), z.ipv6()], { error: words.IP_ADDRESS })
    .optional()
    .meta({
      description: 'Address of the visitor, for ACCESS rules. Without it, no network matches.',
      examples: ['203.0.113.7']
    })
})
export type DomainRuleTestQuery = z.infer<typeof DomainRuleTestQuery>

export const DomainRuleTest = z
  .object({
    matches: z
      .array(
        z.object({
          number: z.int().meta({ description: 'Position in the table, from 1.' }),
          kind: DomainRuleKind
        })
      )
      .meta({ description: 'Rules that apply, in the order in which the proxy applies them.' }),
    status: z.int().nullable().meta({ description: 'The answer of the proxy; null if the request reaches the site.' }),
    location: z
      .string()
      .nullable()
      .meta({ examples: ['https://www.example.com/blog'] }),
    path: z.string().meta({ description: 'What the site sees, after rewrites.' }),
    headers: z.record(z.string(), z.string())
  })
  .meta({ id: 'DomainRuleTest' })
export type DomainRuleTest = z.infer<typeof DomainRuleTest>
