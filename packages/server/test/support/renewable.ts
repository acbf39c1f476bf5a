/** A fake for a panel that several tests share: `renew` replaces it by a new one without the panel noticing. */
export function renewable<T extends object>(create: () => T): { fake: T; renew(): void } {
  let current = create()
  const fake = new Proxy({} as T, {
    get: (_, member): unknown => Reflect.get(current, member),
    set: (_, member, value) => Reflect.set(current, member, value)
  })
  return { fake, renew: () => void (current = create()) }
}
