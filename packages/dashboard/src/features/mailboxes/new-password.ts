/** 32 characters (5 bits each) without lookalikes. */
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 100 bits in groups of five, easy to read out and to type on a phone. */
export function newPassword(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => signs[byte % signs.length]!).join('')
  return letters.match(/.{5}/g)!.join('-')
}
