const browsers = [
  ['Edge', /\bEdg\w*\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//]
] as const
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\b(Linux|X11)\b/]
] as const

export interface Device {
  browser: string | undefined
  system: string | undefined
}

/** Browser and operating system named in a User-Agent header. */
export function deviceOf(userAgent: string): Device {
  const nameIn = (table: readonly (readonly [string, RegExp])[]) => table.find(([, sign]) => sign.test(userAgent))?.[0]
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
