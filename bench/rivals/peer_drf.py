"""The peer: what the product does, as it is usually done with Django REST Framework.

PEER_DATABASE is the SQLite file of an instance that was filled, or the address of its PostgreSQL, PEER_FILES the folder its certified files lie in, PEER_KEY
signs the tokens, PEER_UPLOADS is where files go. Django's models stand on the product's own tables (managed = False), so both read the same rows.

GET /collections/  a page of collections: everyone's for staff, one's own for all others. Bearer token (JWT, HS256).
GET /verify/       the certified PDF by Proof ID and username.
POST /uploads/     keeps the file of a form: hashed, on the disk, with a row. Bearer token.
"""

import datetime
import hashlib
import os
import urllib.parse
import uuid

import django
from django.conf import settings

KEY = os.environ["PEER_KEY"]
FILES = os.environ["PEER_FILES"]

def describe_database(place):
    if not place.startswith("postgres://"):
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": place,
            "CONN_MAX_AGE": None,
            "OPTIONS": {"timeout": 5},
        }
    url = urllib.parse.urlsplit(place)
    host = urllib.parse.parse_qs(url.query).get("host", [url.hostname])[0]
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": url.path.lstrip("/"),
        "USER": urllib.parse.unquote(url.username or ""),
        "PASSWORD": urllib.parse.unquote(url.password or ""),
        "HOST": host,
        "PORT": url.port or "",
        "CONN_MAX_AGE": None,
    }


settings.configure(
    DEBUG=False,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY=KEY,
    ROOT_URLCONF="peer_drf",
    USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    DATABASES={"default": describe_database(os.environ["PEER_DATABASE"])},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "PAGE_SIZE": 10,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

import jwt  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402
from django.http import FileResponse  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import authentication, exceptions, filters, permissions, serializers, viewsets  # noqa: E402
from rest_framework.parsers import MultiPartParser  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


def speed_up(sender, connection, **_):
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("pragma cache_size = -65536")
        cursor.execute("pragma mmap_size = 2147483648")


connection_created.connect(speed_up)


class User(models.Model):
    username = models.TextField(unique=True)
    is_staff = models.IntegerField()
    is_superuser = models.IntegerField()
    is_active = models.IntegerField()
    is_authenticated = True

    class Meta:
        app_label = "peer"
        managed = False
        db_table = "users"


class Collection(models.Model):
    owner = models.ForeignKey(User, models.CASCADE, related_name="+")
    reviewer = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    title = models.TextField()
    is_locked = models.IntegerField()
    proofid = models.TextField(null=True)
    admin_desc = models.TextField()
    expire_time = models.BigIntegerField(null=True)
    created_at = models.BigIntegerField()
    content_count = models.IntegerField()

    class Meta:
        app_label = "peer"
        managed = False
        db_table = "collections"


class Proof(models.Model):
    proofid = models.TextField()
    username = models.TextField()
    sealed_key = models.TextField()

    class Meta:
        app_label = "peer"
        managed = False
        db_table = "proofs"


class Upload(models.Model):
    """The one table of its own; made when the first file comes."""

    owner = models.ForeignKey(User, models.DO_NOTHING, related_name="+", db_constraint=False)
    name = models.TextField()
    path = models.TextField()
    size = models.BigIntegerField()
    sha256 = models.TextField()

    class Meta:
        app_label = "peer"
        db_table = "peer_uploads"


class BearerToken(authentication.BaseAuthentication):
    """What simplejwt does: verifies the token, loads the person."""

    def authenticate(self, request):
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header.startswith("Bearer "):
            return None
        try:
            claims = jwt.decode(header[7:], KEY, algorithms=["HS256"])
        except jwt.PyJWTError:
            raise exceptions.AuthenticationFailed()
        user = User.objects.filter(id=claims["user_id"]).first()
        if not user or not user.is_active:
            raise exceptions.AuthenticationFailed()
        return user, claims

    def authenticate_header(self, request):
        return "Bearer"


class IsSignedIn(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.user is not None


def to_time(ms):
    return datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)


class CollectionSerializer(serializers.ModelSerializer):
    username = serializers.CharField(source="owner.username")
    admin_username = serializers.CharField(source="reviewer.username", default=None)
    is_locked = serializers.BooleanField()
    is_active = serializers.SerializerMethodField()
    expire_time = serializers.SerializerMethodField()
    created_at = serializers.SerializerMethodField()
    remaining_approval_time = serializers.SerializerMethodField()

    class Meta:
        model = Collection
        fields = [
            "id",
            "title",
            "username",
            "is_locked",
            "is_active",
            "proofid",
            "admin_desc",
            "admin_username",
            "expire_time",
            "remaining_approval_time",
            "created_at",
            "content_count",
        ]

    def left(self, one):
        return None if one.expire_time is None else to_time(one.expire_time) - datetime.datetime.now(datetime.timezone.utc)

    def get_is_active(self, one):
        left = self.left(one)
        return left is None or left.total_seconds() > 0

    def get_remaining_approval_time(self, one):
        left = self.left(one)
        return None if left is None else max(0, int(left.total_seconds()))

    def get_expire_time(self, one):
        return None if one.expire_time is None else to_time(one.expire_time).isoformat()

    def get_created_at(self, one):
        return to_time(one.created_at).isoformat()


class Collections(viewsets.ReadOnlyModelViewSet):
    authentication_classes = [BearerToken]
    permission_classes = [IsSignedIn]
    serializer_class = CollectionSerializer
    filter_backends = [filters.SearchFilter, filters.OrderingFilter]
    search_fields = ["title"]
    ordering_fields = ["created_at", "title"]
    ordering = ["-created_at", "-id"]

    def get_queryset(self):
        found = Collection.objects.select_related("owner", "reviewer")
        user = self.request.user
        return found if user.is_staff or user.is_superuser else found.filter(owner=user)


class Verify(APIView):
    authentication_classes = []
    permission_classes = []

    def get(self, request):
        proofid, username = request.query_params.get("proofid"), request.query_params.get("username")
        proof = Proof.objects.filter(proofid=proofid, username=username).first()
        if not proof:
            return Response({"detail": "not found"}, status=404)
        return FileResponse(open(os.path.join(FILES, proof.sealed_key), "rb"), content_type="application/pdf")


class Uploads(APIView):
    authentication_classes = [BearerToken]
    permission_classes = [IsSignedIn]
    parser_classes = [MultiPartParser]
    has_table = False

    def post(self, request):
        if not Uploads.has_table:
            with connection.schema_editor() as editor:
                editor.create_model(Upload)
            Uploads.has_table = True
        file = request.FILES["file"]
        kept = os.path.join(os.environ["PEER_UPLOADS"], uuid.uuid4().hex)
        digest = hashlib.sha256()
        with open(kept, "xb") as out:
            for chunk in file.chunks():
                digest.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
        upload = Upload.objects.create(
            owner=request.user, name=file.name, path=kept, size=file.size, sha256=digest.hexdigest()
        )
        return Response({"id": upload.id, "sha256": upload.sha256}, status=201)


urlpatterns = [
    path("collections/", Collections.as_view({"get": "list"})),
    path("verify/", Verify.as_view()),
    path("uploads/", Uploads.as_view()),
]
application = get_wsgi_application()
