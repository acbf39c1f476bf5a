const spreading = 'Until a change is seen everywhere, the TTL of the old answer has to pass, often an hour.'

/** What is said of the proof of an ownership, and of where the traffic goes. */
export const verificationTexts = {
  VERIFIED: 'Ownership is verified.',
  VERIFIED_BEFORE: '{{hostname}} is verified',
  VERIFIED_ABOVE: '{{hostname}} is verified by a domain of yours above it',
  TRAFFIC_HERE: 'Its traffic comes here.',
  TRAFFIC_NOWHERE: 'To bring its traffic here, add the A record {{hostname}} with the value {{publicIp}}.',
  TRAFFIC_ELSEWHERE: 'Its traffic goes to {{addresses}}: change the A record {{hostname}} to {{publicIp}}.',
  TOKEN_ALONE: 'The TXT record {{name}} has the token alone: its value must be "{{wanted}}".',
  MORE_THAN_VALUE: 'The TXT record {{name}} has more than the value: it must be exactly "{{wanted}}".',
  OTHER_VERIFICATION:
    'The TXT record {{name}} has the value of another verification, "{{found}}": replace it by "{{wanted}}".',
  OTHER_VALUE:
    'The TXT record {{name}} has "{{found}}" instead of "{{wanted}}": add a record with this value. If you did not ' +
    'set the one that is there, a CNAME at that name, or a wildcard, leads elsewhere: remove it.',
  RESOLVERS_DISAGREE: 'The resolvers do not agree with each other: a change may still be on its way.',
  NO_TXT_AT_NAME:
    '{{name}} exists, but has no TXT record "{{wanted}}": add it. If a CNAME is at that name, remove it, since nothing can stand ' +
    'beside a CNAME.',
  NO_TXT:
    'No resolver finds a TXT record at {{name}}: add it with the value "{{wanted}}". If your DNS provider completes names itself, ' +
    'leave the domain out of the name.',
  WAIT_AND_VERIFY: `${spreading} Then verify again.`,
  SERVERS_SILENT:
    'The resolvers get no answer from the name servers of {{domain}} ({{errors}}): check at your registrar which they are, ' +
    'that they serve the domain, and that a DS record there belongs to them. Then verify again.',
  NO_ANSWER:
    'No resolver answered ({{errors}}): this is no matter of your record, but of the network between this ' +
    'server and them. Try again later.',
  NONE_ASKED:
    'No resolver answered (none was asked): this is no matter of your record, but of the network between this ' +
    'server and them. Try again later.'
} as const
export type VerificationCode = keyof typeof verificationTexts

/** What is said of whether a domain is delegated to this server. */
export const delegationTexts = {
  DELEGATED: 'The domain is delegated to {{servers}}.',
  DELEGATED_ALSO:
    'The domain is delegated to {{servers}}, but also to {{others}}, whose answers may differ: remove that at your registrar.',
  ADD: 'At your registrar, or for a subdomain in the zone above it, add {{missing}}.',
  ADD_AND_REMOVE: 'At your registrar, or for a subdomain in the zone above it, add {{missing}} and remove {{others}}.',
  RESOLVERS_DISAGREE: 'The resolvers do not agree with each other yet on {{servers}}.',
  NO_ANSWER: 'No resolver answered: this is a matter of the network between this server and them. Try again later.',
  NOT_FOUND:
    'No delegation of the domain is found. At your registrar, or for a subdomain in the zone above it, set {{servers}} as its name servers.',
  WAIT_AND_TRY: `${spreading} Then try again; skipDelegationCheck switches without waiting.`
} as const
export type DelegationCode = keyof typeof delegationTexts
