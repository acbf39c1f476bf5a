/** Why there is no certificate: what was seen before the authority was asked, what our limits say, or what it answered. */
export const certificateProblemTexts = {
  ADDRESS_MISSING:
    'No resolver finds an address of {{hostname}}: add the A record {{hostname}} with the value {{publicIp}}.',
  ADDRESS_NOT_PUBLIC:
    '{{hostname}} points to {{address}}, which is no address on the Internet, so that no certificate authority gets there: change its A record to {{publicIp}}.',
  ADDRESS_NOT_PUBLIC_AAAA:
    '{{hostname}} points to {{address}}, which is no address on the Internet, so that no certificate authority gets there: change or remove its AAAA record.',
  LEADS_ELSEWHERE:
    'http://{{hostname}}/.well-known/acme-challenge/ does not lead to this server at {{address}} (port {{port}}), which is where the certificate authority looks.',
  CHANGE_A_RECORD:
    'Change its A record to {{publicIp}}, or have what is at {{address}} pass that path on to this server.',
  CHANGE_AAAA_RECORD:
    'Change or remove its AAAA record, or have what is at {{address}} pass that path on to this server.',
  OPEN_PORT:
    'Port {{port}} must lead to this server, also through a firewall or router in front of it; where only the server itself cannot reach that address, an administrator can turn off the check before ordering.',
  WAIT_FOR_TTL: 'Until a change is seen everywhere, the TTL of the old answer has to pass, often an hour.',
  CAA_CRITICAL:
    '{{name}} has a critical CAA record with the tag "{{tag}}", which forbids every certificate: remove it.',
  CAA_OTHERS_ONLY:
    'The CAA records of {{name}} do not allow this certificate authority: add the CAA record {{record}} there.',
  CAA_OTHER_METHODS:
    'The CAA records of {{name}} do not allow the method {{method}}, which this server uses: add it to validationmethods, or leave that out.',
  WILDCARD_NOT_MANAGED:
    'A wildcard is proved in its zone, and {{hostname}} is in none that is managed here: set its dnsMode to MANAGED first.',
  PROOF_HAS_NO_PLACE:
    'The proof for {{hostname}} has no place at {{owner}}: {{problem}}. Remove that record, or have it renamed.',
  CHECK_TOOK_TOO_LONG:
    'It took longer than {{seconds}} s to see whether {{hostname}} leads here, with its records in DNS and what answers at its addresses',
  TOO_MANY_OF_NAME:
    'Too many certificates were ordered for {{hostname}}; certificate authorities allow 5 a week, and 5 failures an hour',
  TOO_MANY_FAILURES: 'Too many certificates of your account could not be issued; 20 failures an hour are allowed',
  TOO_MANY_OF_ACCOUNT: 'Your account has ordered too many certificates; 50 new ones in 3 hours are allowed',
  TOO_MANY_BUT_RENEWALS:
    'All accounts of this server together have ordered too many certificates; beyond 150 in 3 hours only renewals are',
  TOO_MANY_OF_SERVER:
    'All accounts of this server together have ordered too many certificates; certificate authorities allow some 250 in 3 hours',
  AUTHORITY_REFUSED: 'The certificate authority refused: {{answer}}',
  AUTHORITY_UNAVAILABLE: 'The certificate authority cannot do it just now: {{answer}}',
  AUTHORITY_LIMITS: 'The certificate authority has its limits: {{answer}}',
  ORDER_TOOK_TOO_LONG: 'The order took too long: {{answer}}',
  NOT_SERVABLE: 'The certificate authority delivered a certificate that cannot be served: {{problem}}',
  ORDER_BROKE: 'The order could not be completed; the server log has the reason'
} as const
export type CertificateProblemCode = keyof typeof certificateProblemTexts
