/** The default address of servers: only this machine reaches them. */
export const LOOPBACK = '127.0.0.1'
