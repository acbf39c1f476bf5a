/** Of an SFTP account, of all panels on this machine: two of them may give the same uid. useradd takes 32 characters. */
export const isAccountName = (name: string): boolean => /^vsftp_[a-z0-9]{8,26}$/.test(name)
