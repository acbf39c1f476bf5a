import { expect, test } from 'vitest'
import { mailPaths } from '../mail-server/mail-paths.ts'
import { renderFilterSettings } from './filter-settings.render.ts'
import { renderLearn } from './junk-scripts.render.ts'
import type { FilterSettings } from './mail-filter.ts'
import { renderRedisConfig } from './redis-config.render.ts'
import { renderRspamdConfig, type RspamdConfigOptions } from './rspamd-config.render.ts'

const options: RspamdConfigOptions = {
  directory: '/var/lib/panel-0123456789ab/mail',
  certificateDirectory: '/run/panel-0123456789ab/mail',
  resolvers: ['1.1.1.1', '127.0.0.11:5353', '[2001:db8::1]:53', '2001:db8::2'],
  hasLookups: true,
  greylistSeconds: 300
}

test('the whole configuration', async () => {
  await expect(renderRspamdConfig(options)).toMatchFileSnapshot('./rspamd.golden.conf')
  await expect(renderRedisConfig(options)).toMatchFileSnapshot('./redis.golden.conf')
  await expect(renderLearn(mailPaths(options))).toMatchFileSnapshot('./learn.golden.pl')
})

test('without lookups no DNS blocklist is queried', () => {
  expect(renderRspamdConfig({ ...options, hasLookups: false })).not.toMatch(/rbl|spamhaus/i)
})

test.each<[string, Partial<RspamdConfigOptions>]>([
  ['a directory with a line feed', { directory: '/var/lib\nworker {' }],
  ['a resolver that is a name', { resolvers: ['resolver.example'] }],
  ['a resolver with a quotation mark', { resolvers: ['1.1.1.1"; x = "'] }],
  ['a port that is none', { resolvers: ['1.1.1.1:0'] }],
  ['no seconds', { greylistSeconds: 0 }]
])('refuses %s', (_, change) => {
  expect(() => renderRspamdConfig({ ...options, ...change })).toThrow()
})

const settings: FilterSettings = {
  domain: 'one.test',
  isEnabled: true,
  junkScore: 6,
  refuseScore: 15,
  isGreylisting: false,
  allow: ['ann@a.example', "o'neil+x@b.example"],
  deny: ['example']
}

test('settings of a domain', () => {
  expect(JSON.parse(renderFilterSettings(settings))).toEqual({
    enabled: true,
    junk: 6,
    refuse: 15,
    greylisting: false,
    allow: { 'ann@a.example': true, "o'neil+x@b.example": true },
    deny: { example: true }
  })
})

test.each<[string, Partial<FilterSettings>]>([
  ['a domain with a path', { domain: '../one.test' }],
  ['a sender with a quotation mark', { deny: ['"a"@b.example'] }],
  ['a sender with a line feed', { allow: ['a@b.example\n'] }],
  ['a sender with a backslash', { allow: ['a\\@b.example'] }],
  ['no number', { junkScore: Number.NaN }]
])('refuses %s', (_, change) => {
  expect(() => renderFilterSettings({ ...settings, ...change })).toThrow(TypeError)
})
