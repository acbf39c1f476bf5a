import { describe, expect, test } from 'vitest'
import { isProtectedName } from './protected-name.policy.ts'

const zeroWidth = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u180e',
  '\u034f',
  '\u202e',
  '\ufe0f',
  '\u{e0001}'
]

describe('protected', () => {
  test.each([
    '.env',
    '.ENV',
    '.Env',
    '.env.',
    '.env...',
    '.env ',
    '.env . ',
    '.env\t',
    '.env\n',
    '.env\u00a0',
    '.env\u3000',
    '.env.local',
    '.env.PRODUCTION',
    '.ENV.d',
    '.env.\u00fc',
    '.env::$DATA',
    '.env:stream',
    '．env',
    '.ｅｎｖ',
    '.ＥＮＶ',
    '․env',
    '﹒env',
    '.𝐞𝐧𝐯',
    '.ⓔⓝⓥ',
    '.en\u2174', // the Roman numeral five
    'wp-config.php',
    'WP-CONFIG.PHP',
    'Wp-Config.Php',
    'wp-config.php.',
    'wp-config.php ',
    'wp－config.php',
    'wp﹣config.php',
    'ｗｐ-config.php',
    'wp-conﬁg.php', // the ligature
    'wp-conf\u0131g.php', // the i without a dot, whose capital is I
    'wp-config.php::$DATA',
    ...zeroWidth.flatMap((mark) => [`${mark}.env`, `.${mark}env`, `.en${mark}v`, `.env${mark}`, `.env${mark}.x`]),
    ...zeroWidth.map((mark) => `wp-${mark}config.php`)
  ])('%j', (name) => {
    expect(isProtectedName(name)).toBe(true)
    expect(isProtectedName(name.normalize('NFD'))).toBe(true)
    expect(isProtectedName(name.normalize('NFKC'))).toBe(true)
  })
})

describe('not protected', () => {
  test.each([
    '',
    '.',
    '..',
    'env',
    '.environment',
    '.envrc',
    '.env-example',
    '.env_local',
    'x.env',
    'my.env.txt',
    '..env',
    '.e.nv',
    '.énv',
    'wp-config-sample.php',
    'wp-config.php.bak',
    'wp-config.phps',
    'my-wp-config.php',
    'wp_config.php',
    'wp-config',
    'index.php'
  ])('%j', (name) => {
    expect(isProtectedName(name)).toBe(false)
  })
})
