import type { AuthCheck } from '@panel/contract/mail-auth'
import { describe, expect, test } from 'vitest'
import { checkDmarc, checkLiveDkim, checkMx, checkSpf, checkStoredDkim } from './auth-checks.policy.ts'

const domain = 'shop.test'
const outcome = ({ status, detail }: AuthCheck, says: RegExp) => [status, says.test(detail) ? says : detail]

describe('SPF', () => {
  test.each<[string[], 'pass' | 'fail', RegExp]>([
    [['v=spf1 mx a ip4:192.0.2.1 ~all'], 'pass', /^v=spf1 mx a ip4:192.0.2.1 ~all$/],
    [['v=spf1 -all'], 'pass', /-all/],
    [['v=spf1 mx ?all'], 'pass', /\?all/],
    [['V=SPF1 MX ~ALL'], 'pass', /~ALL/],
    [['v=spf1  mx\t~all '], 'pass', /./],
    [['google-site-verification=abc', 'v=spf1 mx ~all'], 'pass', /^v=spf1 mx ~all$/],
    [['v=spf1 mx ~all', 'v=spf1 include:other.test -all'], 'pass', /2 TXT records .* keep one/],
    [['v=spf1 mx', 'v=spf1 mx ~all'], 'pass', /2 TXT records/],
    [[], 'fail', /No TXT record of shop\.test starts with v=spf1/],
    [['google-site-verification=abc'], 'fail', /No TXT record/],
    [['x v=spf1 ~all'], 'fail', /No TXT record/],
    [['v=spf1'], 'fail', /must end in/],
    [['v=spf1 mx'], 'fail', /must end in/],
    [['v=spf1 mx +all'], 'fail', /must end in/],
    [['v=spf1 mx all'], 'fail', /must end in/],
    [['v=spf1 ~all mx'], 'fail', /must end in/],
    [['v=spf1-all'], 'fail', /must end in/],
    [['v=spf1mx ~all'], 'fail', /must end in/],
    [['v=spf10 ~all'], 'fail', /must end in/],
    [['v=spf1 mx,~all'], 'fail', /must end in/],
    [['v=spf1 redirect=_spf.other.test'], 'fail', /must end in/]
  ])('%j: %s', (texts, status, says) => expect(outcome(checkSpf(domain, texts), says)).toEqual([status, says]))
})

describe('DMARC', () => {
  test.each<[string[], 'pass' | 'fail', RegExp]>([
    [['v=DMARC1; p=none; rua=mailto:postmaster@shop.test; pct=100'], 'pass', /p=none/],
    [['v=DMARC1;p=quarantine'], 'pass', /quarantine/],
    [['v=DMARC1; p=REJECT;'], 'pass', /REJECT/],
    [['v = DMARC1 ; p = none'], 'pass', /none/],
    [['something else', 'v=DMARC1; p=none'], 'pass', /none/],
    [['v=DMARC1; rua=mailto:a@b.test; p=none'], 'pass', /none/],
    [[], 'fail', /No TXT record of _dmarc\.shop\.test/],
    [['p=none; v=DMARC1'], 'fail', /No TXT record/],
    [['v=DMARC10; p=none'], 'fail', /No TXT record/],
    [['v=dmarc1; p=none'], 'fail', /No TXT record/],
    [['v=DMARC1'], 'fail', /must have exactly one p= tag/],
    [['v=DMARC1; p='], 'fail', /must have exactly one p= tag/],
    [['v=DMARC1; p=nothing'], 'fail', /must have exactly one p= tag/],
    [['v=DMARC1; sp=none'], 'fail', /must have exactly one p= tag/],
    [['v=DMARC1; p=none; p=reject'], 'fail', /must have exactly one p= tag/]
  ])('%j: %s', (texts, status, says) => expect(outcome(checkDmarc(domain, texts), says)).toEqual([status, says]))
})

describe('MX', () => {
  test.each<[string[], 'pass' | 'fail', RegExp]>([
    [['mail.shop.test'], 'pass', /^mail\.shop\.test$/],
    [['mx.other.test', 'mail.shop.test'], 'pass', /^mx\.other\.test, mail\.shop\.test$/],
    [['mx.other.test'], 'pass', /mx\.other\.test – not mail\.shop\.test/],
    [[], 'fail', /has no MX record/],
    [['.'], 'fail', /accepts no mail/]
  ])('%j: %s', (hosts, status, says) => expect(outcome(checkMx(domain, hosts), says)).toEqual([status, says]))
})

const key = 'MIIBIjAN+/=='
const record = `v=DKIM1; k=rsa; p=${key}`

describe('DKIM in the store', () => {
  const active = (selector: string, ...texts: string[]) => ({ selector, publicKey: key, texts })
  test.each<[string, string[], ReturnType<typeof active> | undefined, 'pass' | 'fail', RegExp]>([
    [
      'our key',
      [record],
      active('default', record),
      'pass',
      /^default\._domainkey\.shop\.test has the active DKIM key/
    ],
    [
      'a key after a rotation',
      [record],
      active('s1', record),
      'pass',
      /^s1\._domainkey\.shop\.test has the active DKIM key/
    ],
    ['that of the new one alone', [], active('s1', record), 'pass', /^s1\._domainkey/],
    ['that of the old one alone', ['v=DKIM1; p=old'], active('s1'), 'pass', /not the active DKIM key/],
    [
      'somebody else’s',
      ['anything'],
      active('default', 'anything'),
      'pass',
      /^anything – but this is not the active DKIM key/
    ],
    ['one without a key here', [record], undefined, 'pass', /mail is not signed/],
    ['none', [], active('default'), 'fail', /^No TXT record at default\._domainkey\.shop\.test$/],
    ['none, and no key', [], undefined, 'fail', /^No TXT record at default\._domainkey\.shop\.test$/]
  ])('%s', (_, defaults, key, status, says) =>
    expect(outcome(checkStoredDkim(domain, { defaults, active: key }), says)).toEqual([status, says])
  )
})

describe('DKIM at the resolvers', () => {
  test.each<[string, string[], 'pass' | 'fail', RegExp]>([
    ['the very key', [record], 'pass', /has the active DKIM key/],
    ['beside another', ['v=DKIM1; p=old', record], 'pass', /has the active DKIM key/],
    ['without what may be left out', [`p=${key}`], 'pass', /has the active DKIM key/],
    ['broken into lines', [`v=DKIM1; p=MIIB IjAN\t+/==`], 'pass', /has the active DKIM key/],
    ['none', [], 'fail', /No TXT record at s1\._domainkey\.shop\.test/],
    ['another key', ['v=DKIM1; p=other'], 'fail', /a different key/],
    ['a key that was revoked', ['v=DKIM1; p='], 'fail', /a different key/],
    ['the key for another algorithm', [`v=DKIM1; k=ed25519; p=${key}`], 'fail', /a different key/],
    ['no record of a key', [key], 'fail', /a different key/],
    ['what a stranger wrote', [`x\u0000\u202e<script>${'y'.repeat(5_000)}`], 'fail', /^x <script>y{1,190} – /]
  ])('%s', (_, texts, status, says) =>
    expect(outcome(checkLiveDkim(domain, { selector: 's1', publicKey: key, texts }), says)).toEqual([status, says])
  )

  test('no key yet', () =>
    expect(checkLiveDkim(domain, undefined)).toEqual({
      status: 'fail',
      detail: 'shop.test has no DKIM key yet',
      sentences: [{ code: 'DKIM_NO_KEY', values: { domain } }]
    }))
})
