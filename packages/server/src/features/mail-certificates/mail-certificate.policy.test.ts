import { expect, test } from 'vitest'
import { chooseMailCertificates } from './mail-certificate.policy.ts'

const certified = (...hostnames: string[]) =>
  hostnames.map((hostname) => ({ id: `of ${hostname}`, fingerprint: 'f', hostname }))
const choose = (hosts: string[], own: string[], domains: string[]) =>
  chooseMailCertificates(certified(...hosts), { own, domains }).map(({ id, hostnames, isDefault }) => [
    id,
    hostnames,
    isDefault
  ])
const own = ['mail.panel.test', 'panel.test']

test('mail.<domain> uses its own certificate', () => {
  expect(choose(['mail.shop.test', 'shop.test'], own, ['shop.test'])).toEqual([
    ['of mail.shop.test', ['mail.shop.test'], false]
  ])
})

test('or a wildcard, with lower priority', () => {
  expect(choose(['*.shop.test'], own, ['shop.test'])).toEqual([['of *.shop.test', ['mail.shop.test'], false]])
  expect(choose(['*.shop.test', 'mail.shop.test'], own, ['shop.test'])).toEqual([
    ['of mail.shop.test', ['mail.shop.test'], false]
  ])
})

test('default: the hostname of the mail servers, then the panel domain', () => {
  expect(choose(['panel.test', 'mail.panel.test'], own, [])).toEqual([
    ['of mail.panel.test', ['mail.panel.test'], true],
    ['of panel.test', ['panel.test'], false]
  ])
  expect(choose(['panel.test'], own, [])).toEqual([['of panel.test', ['panel.test'], true]])
  expect(choose(['*.panel.test', '*.test'], own, [])).toEqual([
    ['of *.panel.test', ['mail.panel.test'], true],
    ['of *.test', ['panel.test'], false]
  ])
})

test('domains without mail, and mail domains without certificates', () => {
  expect(choose(['mail.other.test'], own, ['shop.test'])).toEqual([])
  expect(choose([], own, ['shop.test'])).toEqual([])
})
