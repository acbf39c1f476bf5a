const spreading = 'A DNS change takes effect everywhere after the TTL of the old record, often an hour.'

export const verificationTexts = {
  VERIFIED: 'Ownership is verified.',
  VERIFIED_BEFORE: '{{hostname}} is verified',
  VERIFIED_ABOVE: '{{hostname}} is verified through a parent domain of yours',
  TRAFFIC_HERE: 'The domain points to this server.',
  TRAFFIC_NOWHERE: 'To point the domain to this server, add an A record {{hostname}} with the value {{publicIp}}.',
  TRAFFIC_ELSEWHERE: 'The domain points to {{addresses}}: change the A record {{hostname}} to {{publicIp}}.',
  TOKEN_ALONE: 'The TXT record {{name}} contains only the token: its value must be "{{wanted}}".',
  MORE_THAN_VALUE: 'The TXT record {{name}} contains more than the value: it must be exactly "{{wanted}}".',
  OTHER_VERIFICATION:
    'The TXT record {{name}} belongs to another verification, "{{found}}": replace it with "{{wanted}}".',
  OTHER_VALUE:
    'The TXT record {{name}} is "{{found}}" instead of "{{wanted}}": add a record with this value. If you did not create the existing ' +
    'one, a CNAME or wildcard at that name points elsewhere: remove it.',
  RESOLVERS_DISAGREE: 'The resolvers disagree: a change may still be propagating.',
  NO_TXT_AT_NAME:
    '{{name}} exists but has no TXT record "{{wanted}}": add it. If the name has a CNAME, remove it: no other record can exist next to ' +
    'a CNAME.',
  NO_TXT:
    'No TXT record found at {{name}}: add it with the value "{{wanted}}". If your DNS provider appends the domain, omit the domain ' +
    'from the name.',
  WAIT_AND_VERIFY: `${spreading} Then verify again.`,
  SERVERS_SILENT:
    'The name servers of {{domain}} do not respond to the resolvers ({{errors}}): check at your registrar that the name servers are ' +
    'correct, that they serve the domain, and that any DS record matches. Then verify again.',
  NO_ANSWER:
    'No resolver responded ({{errors}}). This is a network problem of this server, not a problem with your record. Try again later.',
  NONE_ASKED:
    'No resolver was available. This is a network problem of this server, not a problem with your record. Try again later.'
} as const
export type VerificationCode = keyof typeof verificationTexts

export const delegationTexts = {
  DELEGATED: 'The domain is delegated to {{servers}}.',
  DELEGATED_ALSO:
    'The domain is delegated to {{servers}}, but also to {{others}}, which may answer differently: remove those at your registrar.',
  ADD: 'Add {{missing}} at your registrar, or in the parent zone if this is a subdomain.',
  ADD_AND_REMOVE:
    'Add {{missing}} and remove {{others}} at your registrar, or in the parent zone if this is a subdomain.',
  RESOLVERS_DISAGREE: 'The resolvers do not all return {{servers}} yet.',
  NO_ANSWER: 'No resolver responded. This is a network problem of this server. Try again later.',
  NOT_FOUND:
    'The domain is not delegated. Set {{servers}} as its name servers at your registrar, or in the parent zone if this is a subdomain.',
  WAIT_AND_TRY: `${spreading} Then try again, or skip the delegation check to switch without waiting.`
} as const
export type DelegationCode = keyof typeof delegationTexts
