/**
 * The screen that hands a provider's answer to the one that asked, where that was not the sign-in screen. It has a file of
 * its own: the web's table of screens needs no more of this feature.
 */
export const PROVIDER_RETURN_PATH = '/provider-return'
