package io.penstock.gateway.embedded;

import java.io.InputStream;
import java.util.List;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectAclRequest;
import software.amazon.awssdk.services.s3.model.GetObjectAclResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * A blob store that takes any key, on top of one that keeps keys as paths: renames on the way in
 * and back on the way out, by {@link KeyAlphabet}, and decides nothing else.
 *
 * <p>Threading: as the store below.
 */
final class AnyKeyStore extends ForwardingBlobStore {
  AnyKeyStore(BlobStore paths) {
    super(paths);
  }

  @Override
  public ListObjectsV2Response list(ListObjectsV2Request request) {
    var page =
        super.list(
            request.toBuilder()
                .prefix(prefix(request.prefix()))
                .startAfter(name(request.startAfter()))
                .continuationToken(name(request.continuationToken()))
                .build());
    return page.toBuilder()
        .contents(
            page.contents().stream()
                .map(it -> it.toBuilder().key(KeyAlphabet.keyOf(it.key())).build())
                .toList())
        .commonPrefixes(keys(page.commonPrefixes()))
        .nextContinuationToken(key(page.nextContinuationToken()))
        .build();
  }

  @Override
  public ListObjectVersionsResponse listVersions(ListObjectVersionsRequest request) {
    var page =
        super.listVersions(
            request.toBuilder()
                .prefix(prefix(request.prefix()))
                .keyMarker(name(request.keyMarker()))
                .build());
    return page.toBuilder()
        .versions(
            page.versions().stream()
                .map(it -> it.toBuilder().key(KeyAlphabet.keyOf(it.key())).build())
                .toList())
        .deleteMarkers(
            page.deleteMarkers().stream()
                .map(it -> it.toBuilder().key(KeyAlphabet.keyOf(it.key())).build())
                .toList())
        .commonPrefixes(keys(page.commonPrefixes()))
        .nextKeyMarker(key(page.nextKeyMarker()))
        .build();
  }

  @Override
  public void clearContainer(ListObjectsV2Request request) {
    super.clearContainer(request.toBuilder().prefix(prefix(request.prefix())).build());
  }

  @Override
  public boolean blobExists(String bucket, String key) {
    return super.blobExists(bucket, KeyAlphabet.nameOf(key));
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
    return super.putBlob(request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build(), body);
  }

  @Override
  public CopyObjectResponse copyBlob(CopyObjectRequest request) {
    return super.copyBlob(
        request.toBuilder()
            .sourceKey(KeyAlphabet.nameOf(request.sourceKey()))
            .destinationKey(KeyAlphabet.nameOf(request.destinationKey()))
            .build());
  }

  @Override
  public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
    return super.blobMetadata(request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
  }

  @Override
  public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
    return super.getBlob(request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
  }

  @Override
  public DeleteObjectResponse removeBlob(DeleteObjectRequest request) {
    return super.removeBlob(request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
  }

  @Override
  public ObjectCannedACL getBlobAccess(String bucket, String key) {
    return super.getBlobAccess(bucket, KeyAlphabet.nameOf(key));
  }

  @Override
  public ObjectCannedACL getBlobAccess(String bucket, String key, @Nullable String version) {
    return super.getBlobAccess(bucket, KeyAlphabet.nameOf(key), version);
  }

  @Override
  public GetObjectAclResponse getBlobAcl(GetObjectAclRequest request) {
    return super.getBlobAcl(request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
  }

  @Override
  public void setBlobAccess(String bucket, String key, ObjectCannedACL access) {
    super.setBlobAccess(bucket, KeyAlphabet.nameOf(key), access);
  }

  @Override
  public void setBlobAccess(
      String bucket, String key, ObjectCannedACL access, @Nullable String version) {
    super.setBlobAccess(bucket, KeyAlphabet.nameOf(key), access, version);
  }

  @Override
  public MultipartUpload initiateMultipartUpload(CreateMultipartUploadRequest request) {
    var upload =
        super.initiateMultipartUpload(
            request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
    return new MultipartUpload(upload.id(), request, upload.response());
  }

  @Override
  public void abortMultipartUpload(MultipartUpload upload) {
    super.abortMultipartUpload(named(upload));
  }

  @Override
  public CompleteMultipartUploadResponse completeMultipartUpload(
      MultipartUpload upload, CompleteMultipartUploadRequest request) {
    var done =
        super.completeMultipartUpload(
            named(upload), request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
    return done.toBuilder().key(key(done.key())).build();
  }

  @Override
  public UploadPartResponse uploadMultipartPart(
      MultipartUpload upload, UploadPartRequest request, InputStream body) {
    return super.uploadMultipartPart(named(upload), request, body);
  }

  @Override
  public List<Part> listMultipartUpload(MultipartUpload upload) {
    return super.listMultipartUpload(named(upload));
  }

  @Override
  public List<software.amazon.awssdk.services.s3.model.MultipartUpload> listMultipartUploads(
      String bucket) {
    return super.listMultipartUploads(bucket).stream()
        .map(it -> it.toBuilder().key(KeyAlphabet.keyOf(it.key())).build())
        .toList();
  }

  private static MultipartUpload named(MultipartUpload upload) {
    var request = upload.request();
    return new MultipartUpload(
        upload.id(), request.toBuilder().key(KeyAlphabet.nameOf(request.key())).build());
  }

  private static List<CommonPrefix> keys(List<CommonPrefix> prefixes) {
    return prefixes.stream()
        .map(it -> it.toBuilder().prefix(KeyAlphabet.keyOf(it.prefix())).build())
        .toList();
  }

  private static @Nullable String prefix(@Nullable String keyPrefix) {
    return keyPrefix == null ? null : KeyAlphabet.prefixOf(keyPrefix);
  }

  private static @Nullable String name(@Nullable String key) {
    return key == null ? null : KeyAlphabet.nameOf(key);
  }

  private static @Nullable String key(@Nullable String name) {
    return name == null ? null : KeyAlphabet.keyOf(name);
  }
}
