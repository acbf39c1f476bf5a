import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { renderAppleProfile } from './apple-profile.render.ts'
import { renderAutoconfig } from './autoconfig.render.ts'
import { renderAutodiscover } from './autodiscover.render.ts'
import { mailServicesAt } from './client-settings.policy.ts'

const services = mailServicesAt('mail.shop.test', {
  IMAPS_PORT: 993,
  IMAP_PORT: 143,
  SUBMISSIONS_PORT: 465,
  SUBMISSION_PORT: 587,
  MANAGESIEVE_PORT: 4190
})
type Parser = XMLParser['parse']
function parse(document: string): ReturnType<Parser> {
  expect(XMLValidator.validate(document)).toBe(true)
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' }).parse(document)
}
const hostile = `<x>&"'@shop.test`

test('Thunderbird configuration', () => {
  const { clientConfig } = parse(renderAutoconfig('shop.test', services))
  const provider = clientConfig.emailProvider
  expect([clientConfig['@version'], provider['@id'], provider.domain]).toEqual(['1.1', 'shop.test', 'shop.test'])
  const server = (type: string, port: number, socketType: string) => ({
    '@type': type,
    hostname: 'mail.shop.test',
    port,
    socketType,
    authentication: 'password-cleartext',
    username: '%EMAILADDRESS%'
  })
  expect(provider.incomingServer).toEqual([server('imap', 993, 'SSL'), server('imap', 143, 'STARTTLS')])
  expect(provider.outgoingServer).toEqual([server('smtp', 465, 'SSL'), server('smtp', 587, 'STARTTLS')])
})

test('Outlook configuration', () => {
  const { Autodiscover } = parse(renderAutodiscover('ann@shop.test', services))
  expect(Autodiscover['@xmlns']).toBe('http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006')
  const { Account } = Autodiscover.Response
  expect([Account.AccountType, Account.Action]).toEqual(['email', 'settings'])
  expect(Account.Protocol).toMatchObject([
    { Type: 'IMAP', Server: 'mail.shop.test', Port: 993, SSL: 'on', LoginName: 'ann@shop.test', SPA: 'off' },
    { Type: 'SMTP', Server: 'mail.shop.test', Port: 465, SSL: 'on', LoginName: 'ann@shop.test', AuthRequired: 'on' }
  ])
})

test('addresses are escaped', () => {
  const { Autodiscover } = parse(renderAutodiscover(hostile, services))
  expect(Autodiscover.Response.User.DisplayName).toBe(hostile)
  expect(Object.keys(Autodiscover.Response).toSorted()).toEqual(['@xmlns', 'Account', 'User'])
})

test('Apple profile', () => {
  const mailbox = { id: 'm1', address: 'ann@shop.test' }
  const document = renderAppleProfile(mailbox, services)
  const { dict } = parse(document).plist
  expect(dict.key).toContain('PayloadContent')
  const account = dict.array.dict
  expect(account.string.filter((text: string) => text === 'mail.shop.test')).toHaveLength(2)
  expect(account.integer).toEqual([1, 993, 465])
  expect(account.string).toContain('com.apple.mail.managed')
  expect(account.key.length).toBe(account.string.length + account.integer.length + account.true.length)
  expect(renderAppleProfile(mailbox, services)).toBe(document)
  expect(document).not.toMatch(/Password<\/key><string>/)
  const uuids = document.match(/[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/g)
  expect(new Set(uuids).size).toBe(2)
})
