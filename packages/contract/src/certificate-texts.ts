export const certificateProblemTexts = {
  ADDRESS_MISSING: '{{hostname}} has no address record: add an A record {{hostname}} with the value {{publicIp}}.',
  ADDRESS_NOT_PUBLIC:
    '{{hostname}} points to {{address}}, which is not a public address, so the certificate authority cannot reach it: change its A ' +
    'record to {{publicIp}}.',
  ADDRESS_NOT_PUBLIC_AAAA:
    '{{hostname}} points to {{address}}, which is not a public address, so the certificate authority cannot reach it: change or remove ' +
    'its AAAA record.',
  LEADS_ELSEWHERE:
    'http://{{hostname}}/.well-known/acme-challenge/ does not reach this server at {{address}} (port {{port}}), where the certificate ' +
    'authority looks.',
  CHANGE_A_RECORD: 'Change its A record to {{publicIp}}, or forward that path from {{address}} to this server.',
  CHANGE_AAAA_RECORD: 'Change or remove its AAAA record, or forward that path from {{address}} to this server.',
  OPEN_PORT:
    'Forward port {{port}} to this server, also in any firewall or router in front of it. If only the server itself cannot reach that ' +
    'address, an administrator can turn off "Check before ordering" in Settings → Certificates.',
  WAIT_FOR_TTL: 'A DNS change takes effect everywhere after the TTL of the old record, often an hour.',
  CAA_CRITICAL:
    '{{name}} has a critical CAA record with the unknown tag "{{tag}}", which forbids all certificates: remove it.',
  CAA_OTHERS_ONLY:
    'The CAA records of {{name}} do not allow this certificate authority: add the CAA record {{record}} there.',
  CAA_OTHER_METHODS:
    'The CAA records of {{name}} do not allow the validation method {{method}}, which this server uses: add it to validationmethods, ' +
    'or remove that parameter.',
  WILDCARD_NOT_MANAGED:
    'A wildcard certificate requires DNS validation, but the zone of {{hostname}} is not hosted here: switch the domain to managed DNS first.',
  PROOF_HAS_NO_PLACE:
    'The validation record for {{hostname}} cannot be added at {{owner}}: {{problem}}. Remove or rename that record.',
  CHECK_TOOK_TOO_LONG:
    'Checking whether {{hostname}} reaches this server, in DNS and over HTTP, took longer than {{seconds}} s',
  TOO_MANY_OF_NAME:
    'Too many certificates were ordered for {{hostname}}; certificate authorities allow 5 a week and 5 failures an hour',
  TOO_MANY_FAILURES: 'Too many certificate orders of your account failed; the limit is 20 failures an hour',
  TOO_MANY_OF_ACCOUNT: 'Your account has ordered too many certificates; the limit is 50 new ones in 3 hours',
  TOO_MANY_BUT_RENEWALS:
    'This server has ordered too many certificates; beyond 150 in 3 hours only renewals are allowed',
  TOO_MANY_OF_SERVER:
    'This server has ordered too many certificates; certificate authorities allow about 250 in 3 hours',
  AUTHORITY_REFUSED: 'The certificate authority rejected the order: {{answer}}',
  AUTHORITY_UNAVAILABLE: 'The certificate authority is temporarily unavailable: {{answer}}',
  AUTHORITY_LIMITS: 'A rate limit of the certificate authority was reached: {{answer}}',
  ORDER_TOOK_TOO_LONG: 'The order timed out: {{answer}}',
  NOT_SERVABLE: 'The certificate authority issued a certificate that cannot be used: {{problem}}',
  ORDER_BROKE: 'The order failed because of an internal error; an administrator can find the cause in the server log'
} as const
export type CertificateProblemCode = keyof typeof certificateProblemTexts
