/** Legacy: containers on the network that accounts shared keep this address until they are redeployed. */
export function sharedNetworkAddress(subnet: string, firstPort: number, port: number): string {
  const [network = '', bits = ''] = subnet.split('/')
  const base = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const offset = port - firstPort + 10
  if (offset < 10 || offset >= 2 ** (32 - Number(bits)) - 256)
    throw new RangeError(`port ${port} has no address in ${subnet}`)
  const address = base + offset
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}
