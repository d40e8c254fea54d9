"""JSON Web Tokens of the site's issuer: who holds one asks for the tenant that it names."""

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import jwt
from fastapi.concurrency import run_in_threadpool

from app.access.credentials import unknown
from app.access.issuer import IssuerKeys, Key
from app.db.audit import Action
from app.db.engine import Database
from app.db.quotas import TENANT_NAME
from app.db.scopes import Scope
from app.http.identity import Identity
from app.settings import Settings

KEY_TYPE_OF = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), "RSA"),
    **dict.fromkeys(("ES256", "ES384", "ES512"), "EC"),
    "EdDSA": "OKP",
}
"""The signatures that are taken, all with a key that the issuer alone has."""
LEAST_RSA_BITS = 2048
SKEW_SECONDS = 30.0
"""By so much the issuer's clock may be ahead of this machine's."""
_LONGEST_SUBJECT = 100
_LATEST = 2**53
"""Seconds since 1970 that a token's end comes before; more are no time."""


class Holder(NamedTuple):
    """Who holds a token, and for how many seconds."""

    identity: Identity
    seconds: float


class Tokens:
    """Finds out who holds a token.

    Parameters
    ----------
    settings
        `jwt_issuer`, `jwt_audience`, `jwt_keys_url` and what the claims are called.
    """

    def __init__(self, settings: Settings) -> None:
        assert settings.jwt_keys_url is not None
        self._settings = settings
        self._keys = IssuerKeys(settings.jwt_keys_url)

    async def holder(self, database: Database, token: str) -> Holder:
        """Give who holds a token.

        Parameters
        ----------
        database
            Where the service stores everything.
        token
            A JSON Web Token, as the client has shown it.

        Raises
        ------
        Refusal
            ``unauthorized``; ``issuer_unavailable`` while it cannot be checked.
        DatabaseUnavailableError
            If the database cannot be asked for the tenant.
        """
        algorithm, key_id = _header(token)
        key = await self._keys.find(key_id, algorithm, KEY_TYPE_OF[algorithm])
        if key is None:
            raise unknown("The token is signed with a key that its issuer does not have.")
        claims = self._claims(token, key, algorithm)
        seconds = claims["exp"] - time.time()
        if not seconds > 0:
            raise unknown("The token has expired.")
        tenant = claims.get(self._settings.jwt_tenant_claim)
        if not isinstance(tenant, str) or TENANT_NAME.fullmatch(tenant) is None:
            raise unknown(f"The claim {self._settings.jwt_tenant_claim} names no tenant.")
        subject = str(claims.get("sub", "anybody"))[:_LONGEST_SUBJECT]
        identity = Identity(tenant, self._scopes(claims), f"token of {subject}")
        if not await run_in_threadpool(self._is_tenant, database, identity):
            raise unknown("The tenant that the token names is none of this service.")
        return Holder(identity, seconds)

    def _claims(self, token: str, key: Key, algorithm: str) -> dict[str, Any]:
        try:
            public = jwt.PyJWK(dict(key), algorithm)
            if getattr(public.key, "key_size", LEAST_RSA_BITS) < _least_bits(algorithm):
                raise unknown("The token is signed with a key that is too short.")
            claims: dict[str, Any] = jwt.decode(
                token,
                public,
                [algorithm],
                {"require": ["exp", "iss", "aud"], "verify_exp": False},
                audience=self._settings.jwt_audience,
                issuer=self._settings.jwt_issuer,
                leeway=SKEW_SECONDS,
            )
        except (jwt.PyJWTError, ArithmeticError, RecursionError, TypeError, ValueError) as error:
            # What a stranger has written may be anything, and so may a key set.
            raise unknown(f"The token is not acceptable: {_WHY.get(type(error), _FORM)}.") from None
        end = claims["exp"]
        if isinstance(end, bool) or not isinstance(end, int | float) or not abs(end) < _LATEST:
            raise unknown(f"The token is not acceptable: {_FORM}.")
        return claims

    def _scopes(self, claims: dict[str, Any]) -> frozenset[Scope]:
        given = claims.get(self._settings.jwt_scope_claim)
        listed: Iterable[object] = given.split() if isinstance(given, str) else given or ()
        if not isinstance(listed, list):
            return frozenset()
        return frozenset(scope for scope in Scope if scope in listed)

    def _is_tenant(self, database: Database, identity: Identity) -> bool:
        with database.read_all() as unit:
            if unit.tenants.get(identity.tenant) is not None:
                return True
        if not self._settings.jwt_create_tenants:
            return False
        with database.write_all() as unit:
            if unit.tenants.create(identity.tenant):
                subject = identity.tenant
                unit.audit.write(subject, identity.actor, Action.TENANT_CREATED, subject)
        return True


_FORM = "it has not the form of one"
_WHY: dict[type[Exception], str] = {
    jwt.InvalidSignatureError: "its signature is not that of the issuer's key",
    jwt.InvalidAudienceError: "it was issued for another audience",
    jwt.InvalidIssuerError: "it is of another issuer",
    jwt.ImmatureSignatureError: "it is not valid yet",
    jwt.MissingRequiredClaimError: "one of the claims exp, iss and aud is missing",
}


def _header(token: str) -> tuple[str, str | None]:
    """Give the algorithm and the key that a token names, before anything of it is believed."""
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, RecursionError, TypeError, ValueError):
        raise unknown("The credential is neither a key nor a token of this service.") from None
    algorithm, key_id = header.get("alg"), header.get("kid")
    if not isinstance(algorithm, str) or algorithm not in KEY_TYPE_OF:
        raise unknown(f"The token has to be signed by one of {', '.join(KEY_TYPE_OF)}.")
    return algorithm, key_id


def _least_bits(algorithm: str) -> int:
    return LEAST_RSA_BITS if KEY_TYPE_OF[algorithm] == "RSA" else 0
