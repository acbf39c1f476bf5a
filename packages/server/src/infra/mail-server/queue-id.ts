/**
 * Postfix's ids of messages: long ones (time, `z`, inode) and short ones of upper-case hexadecimal digits. Nothing else reaches its tools,
 * which take `ALL` for the whole queue.
 */
export const isQueueId = (text: string): boolean =>
  text.length <= 64 &&
  /^(?:[0-9A-F]{6,}|[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{10,}z[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-y]+)$/.test(text)
