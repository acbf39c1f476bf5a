const templates = {
  google: () => ['@ 3600 IN MX 1 smtp.google.com.', '@ 3600 IN TXT "v=spf1 include:_spf.google.com ~all"'],
  microsoft: (hostname: string) => [
    `@ 3600 IN MX 0 ${hostname.replaceAll('.', '-')}.mail.protection.outlook.com.`,
    '@ 3600 IN TXT "v=spf1 include:spf.protection.outlook.com -all"',
    'autodiscover 3600 IN CNAME autodiscover.outlook.com.'
  ],
  fastmail: (hostname: string) => [
    '@ 3600 IN MX 10 in1-smtp.messagingengine.com.',
    '@ 3600 IN MX 20 in2-smtp.messagingengine.com.',
    '@ 3600 IN TXT "v=spf1 include:spf.messagingengine.com ?all"',
    ...[1, 2, 3].map((n) => `fm${n}._domainkey 3600 IN CNAME fm${n}.${hostname}.dkim.fmhosted.com.`)
  ],
  // RFC 7505 null MX, plus SPF and DMARC that reject all mail.
  noMail: () => [
    '@ 3600 IN MX 0 .',
    '@ 3600 IN TXT "v=spf1 -all"',
    '_dmarc 3600 IN TXT "v=DMARC1; p=reject; adkim=s; aspf=s"'
  ]
}

type TemplateName = keyof typeof templates
export const templateNames = Object.keys(templates) as TemplateName[]

export const templateOf = (name: TemplateName, hostname: string): string => `${templates[name](hostname).join('\n')}\n`
