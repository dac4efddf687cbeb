/**
 * The mark of the newest pair of tokens, as the web keeps it for its tabs. It is no secret and opens nothing; the server
 * takes from it only that somebody is signed in here, and names the scripts that a screen of theirs loads.
 */
export const TURN_COOKIE = 'refresh_turn'
