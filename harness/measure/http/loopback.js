/** The address that servers listen on unless the user asks for another: nobody but this machine reaches them. */
export const LOOPBACK = '127.0.0.1'
