const deliveryTestLocalPart = 'delivery-test'

export const deliveryTestAddress = (hostname: string, token?: string): string =>
  `${deliveryTestLocalPart}${token === undefined ? '' : `+${token}`}@${hostname}`

const pattern =
  /^delivery-test(?:\+([0-9a-f]{32}))?@(mail\.(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])$/

export function parseDeliveryTestAddress(address: string): { hostname: string; token: string | undefined } | undefined {
  const [, token, hostname] = (address.length <= 254 && pattern.exec(address)) || []
  return hostname === undefined ? undefined : { hostname, token }
}
