/** SFTP account of any panel on this machine; uids may repeat between panels. useradd allows 32 characters. */
export const isAccountName = (name: string): boolean => /^vsftp_[a-z0-9]{8,26}$/.test(name)
