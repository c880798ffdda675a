/** The user that the service knows. */
export const USER_ID = 'bot@example.com';

/** The first password of the user. */
export const USER_SECRET = 'correct horse "battery" staple';

/** The vendor's name in the media type and in one cookie. */
export const VENDOR = 'acme';
