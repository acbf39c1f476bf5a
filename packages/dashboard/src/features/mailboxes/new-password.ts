/** 32 signs, so that each bit of chance counts: without those that look like others. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A hundred bits in groups of five, which can be read out and typed on a phone. */
export function newPassword(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => signs[byte % signs.length]!).join('')
  return letters.match(/.{5}/g)!.join('-')
}
