// Of names alone: what the file needs must not depend on what else is a hostname elsewhere.
const hostname = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** hosts(5) for the containers of an account: each name points to the proxy at `address`, whatever DNS says. */
export function renderHosts(address: string, names: readonly string[]): string {
  const own = names.filter((name) => hostname.test(name)).toSorted()
  return ['127.0.0.1 localhost', '::1 localhost ip6-localhost', ...own.map((name) => `${address} ${name}`), ''].join(
    '\n'
  )
}
